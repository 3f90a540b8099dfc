/** Zones that libphonenumber's table does not have where it should. */
export interface Correction {
	/** The prefixes that begin with one of these … */
	under: readonly string[];
	/** … and list this zone (any, when there is none) … */
	where?: string;
	/** … may also be in these zones. */
	add: readonly string[];
	/** `where` itself is nowhere in the country. */
	insteadOfIt?: boolean;
	why: string;
}

/**
 * The table names some zones by their standard time alone, so that summer time is wrong by an hour, and has left
 * out a few. Found by comparing the clocks of each country's zones in tzdata's zone.tab with those of its numbers.
 */
export const corrections: readonly Correction[] = [
	{
		under: ['211'],
		where: 'Africa/Nairobi',
		add: ['Africa/Juba'],
		insteadOfIt: true,
		why: 'South Sudan is an hour behind Kenya since 2021',
	},
	{
		under: ['212'],
		where: 'Atlantic/Canary',
		add: ['Africa/Casablanca', 'Africa/El_Aaiun'],
		insteadOfIt: true,
		why: 'Morocco has rules of its own',
	},
	{
		under: ['213'],
		where: 'Europe/Paris',
		add: ['Africa/Algiers'],
		insteadOfIt: true,
		why: 'Algeria has no summer time',
	},
	{
		under: ['218'],
		where: 'Europe/Bucharest',
		add: ['Africa/Tripoli'],
		insteadOfIt: true,
		why: 'Libya has no summer time',
	},
	{
		under: ['2434', '2435', '2436'],
		add: ['Africa/Lubumbashi'],
		why: 'The east of Congo, from Kasai on, is an hour ahead of Kinshasa',
	},
	{
		under: ['505'],
		where: 'America/Chicago',
		add: ['America/Managua'],
		insteadOfIt: true,
		why: 'Nicaragua has no summer time',
	},
	{
		under: ['970'],
		where: 'Europe/Bucharest',
		add: ['Asia/Gaza', 'Asia/Hebron'],
		insteadOfIt: true,
		why: 'Palestine has rules of its own',
	},
	{
		under: ['7'],
		where: 'Europe/Bucharest',
		add: ['Europe/Kaliningrad'],
		insteadOfIt: true,
		why: 'Kaliningrad has no summer time',
	},
	{
		under: ['7845'],
		where: 'Europe/Moscow',
		add: ['Europe/Samara'],
		insteadOfIt: true,
		why: 'Saratov is an hour ahead of Moscow since 2016',
	},
	{
		under: ['7411'],
		add: ['Asia/Vladivostok', 'Asia/Magadan'],
		why: 'The east of Yakutia is one or two hours ahead of Yakutsk',
	},
	{
		under: ['61'],
		where: 'Australia/Adelaide',
		add: ['Australia/Darwin'],
		why: 'The Northern Territory, 08 like Adelaide, has no summer time',
	},
	{
		under: ['618'],
		where: 'Australia/Sydney',
		add: ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'],
		why: 'Nobody who has 08 keeps the time of Sydney',
	},
	{
		under: ['617'],
		where: 'Australia/Sydney',
		add: ['Australia/Brisbane'],
		why: 'Queensland, 07, has no summer time',
	},
	{
		under: ['62526'],
		add: ['Asia/Jakarta'],
		why: 'Tamiang Layang has it, too, an hour behind Tanjung',
	},
	{
		under: ['56'],
		where: 'America/Santiago',
		add: ['America/Punta_Arenas'],
		why: 'Magallanes and Aysén keep summer time all year',
	},
	{
		under: ['675'],
		add: ['Pacific/Bougainville'],
		why: 'Bougainville is an hour ahead of Port Moresby',
	},
	{
		under: ['90392', '905338', '9054285', '9054288', '905488'],
		add: ['Asia/Nicosia'],
		why: 'Northern Cyprus has numbers of Turkey, and the clock of Cyprus',
	},
	{
		under: ['689409'],
		add: ['Pacific/Marquesas', 'Pacific/Gambier'],
		why: 'Fixed lines of the Marquesas and Gambier',
	},
	{
		under: ['64330'],
		add: ['Pacific/Auckland'],
		why: 'Chatham has 3305 alone; Ashburton is behind the others',
	},
	{ under: ['593530'], add: ['Pacific/Galapagos'], why: 'Fixed lines of the Galápagos' },
	{
		under: ['62920', '62958', '62963', '62979'],
		add: ['Asia/Jayapura'],
		why: '09 is of Maluku and Papua',
	},
	{ under: ['97670'], add: ['Asia/Hovd'], why: 'Lines of the west are among them' },
	{
		under: ['97614', '97624'],
		add: ['Asia/Ulaanbaatar'],
		why: 'Three provinces beside Hovd keep the time of the capital',
	},
	{ under: ['29997'], add: ['America/Godthab'], why: 'Qaanaaq keeps the time of Nuuk' },
	{
		under: ['5566'],
		add: ['America/Sao_Paulo'],
		why: 'The east of Mato Grosso lives by the time of Brasília',
	},
	{
		under: ['5597'],
		add: ['America/Rio_Branco'],
		why: 'The west of Amazonas (Tabatinga, Eirunepé) is an hour behind Manaus',
	},
	{
		under: [
			'614',
			'621',
			'625',
			'626',
			'627',
			'628',
			'629',
			'635',
			'636',
			'639',
			'648',
			'649',
			'652',
			'656',
			'657',
			'659',
		].map((area) => `52${area}`),
		add: ['America/Chihuahua'],
		why: 'Chihuahua left Mountain Time in 2022',
	},
	{
		under: ['862', '868', '869', '873', '891', '897'].map((area) => `52${area}`),
		add: ['America/Matamoros'],
		why: 'Places on the border kept the summer time of the United States in 2022',
	},
	{ under: ['52663'], add: ['America/Tijuana'], why: 'It overlays 664, Tijuana' },
	{
		under: ['52983'],
		add: ['America/Mexico_City'],
		why: 'Xpujil in Campeche has it, too, an hour behind Chetumal',
	},
	{
		under: ['52997'],
		add: ['America/Cancun'],
		why: 'The south of Quintana Roo (José María Morelos) has it, too',
	},
	{
		under: ['1273'],
		add: ['America/Toronto'],
		why: 'An area code of Québec that the table does not have',
	},
	{
		under: ['1367', '1581'],
		add: ['America/Halifax'],
		why: 'They overlay 418, in which the Magdalen Islands are',
	},
	{ under: ['1879'], add: ['America/Halifax'], why: 'It overlays 709, in which Labrador is' },
	{
		under: ['1236', '1257', '1672', '1778'],
		add: ['America/Edmonton'],
		why: 'They overlay 250, in which East Kootenay is',
	},
	{
		under: ['1689'],
		where: 'America/Chicago',
		add: ['America/New_York'],
		insteadOfIt: true,
		why: 'It overlays 407, Orlando',
	},
	{
		under: ['1474'],
		where: 'America/Winnipeg',
		add: ['America/Regina'],
		insteadOfIt: true,
		why: 'It overlays 306, Saskatchewan',
	},
	{
		under: ['1306', '1474', '1639'],
		add: ['America/Edmonton'],
		why: 'Lloydminster keeps the time of Alberta',
	},
	{
		under: ['1334'],
		add: ['America/New_York'],
		why: 'Places beside Columbus, Georgia, live by its time',
	},
	{ under: ['1364'], add: ['America/Chicago'], why: 'It overlays 270, the west of Kentucky' },
	{ under: ['1448'], add: ['America/Chicago'], why: 'It overlays 850, the west of Florida' },
	{ under: ['1930'], add: ['America/Chicago'], why: 'It overlays 812, in which Evansville is' },
	{ under: ['1986'], add: ['America/Denver'], why: 'It overlays 208' },
	{ under: ['1458'], add: ['America/Denver'], why: 'It overlays 541, in which Malheur County is' },
];
