/*!
 * Time zones by number. Made from resources/timezones/map_data.txt of libphonenumber 9.0.27
 * (https://github.com/google/libphonenumber), and changed: +1 is united by area code, mobile numbers
 * stand for their whole country, some zones are corrected.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0;
 * you may obtain a copy at http://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
// Written by `npm run data:time-zones` (test/timeZones/).

/** The zones: AA, AB, AC … A line is an area of the world, then its places. */
export const ZONES = `
Africa Abidjan Accra Addis_Ababa Algiers Asmera Bamako Bangui Banjul Blantyre Brazzaville Bujumbura Cairo Casablanca Conakry Dakar Dar_es_Salaam Djibouti Douala El_Aaiun Freetown Gaborone Harare Johannesburg Juba Kampala Khartoum Kigali Kinshasa Lagos Libreville Lome Luanda Lubumbashi Lusaka Malabo Maputo Maseru Mbabane Mogadishu Nairobi Ndjamena Niamey Nouakchott Ouagadougou Porto-Novo Sao_Tome Tripoli Tunis Windhoek
America Adak Anchorage Anguilla Antigua Aruba Asuncion Barbados Belize Bogota Boise Buenos_Aires Cancun Caracas Cayenne Cayman Chicago Chihuahua Ciudad_Juarez Costa_Rica Curacao Denver Dominica Edmonton El_Salvador Fort_Nelson Godthab Grand_Turk Grenada Guadeloupe Guatemala Guayaquil Guyana Halifax Havana Jamaica Juneau Kralendijk La_Paz Lima Los_Angeles Lower_Princes Managua Manaus Martinique Matamoros Mazatlan Mexico_City Miquelon Montevideo Montserrat Nassau New_York Noronha North_Dakota/Center Ojinaga Panama Paramaribo Phoenix Port-au-Prince Port_of_Spain Puerto_Rico Punta_Arenas Regina Rio_Branco Santiago Santo_Domingo Sao_Paulo Scoresbysund St_Johns St_Kitts St_Lucia St_Thomas St_Vincent Tegucigalpa Thule Tijuana Toronto Tortola Vancouver Winnipeg
Arctic Longyearbyen
Asia Aden Almaty Amman Anadyr Aqtobe Ashgabat Baghdad Bahrain Baku Bangkok Beirut Bishkek Brunei Calcutta Choibalsan Colombo Damascus Dhaka Dili Dubai Dushanbe Gaza Hebron Ho_Chi_Minh Hong_Kong Hovd Irkutsk Jakarta Jayapura Jerusalem Kabul Kamchatka Karachi Katmandu Krasnoyarsk Kuching Kuwait Magadan Makassar Manila Muscat Nicosia Novosibirsk Omsk Phnom_Penh Qatar Rangoon Riyadh Sakhalin Seoul Shanghai Singapore Taipei Tashkent Tbilisi Tehran Thimphu Tokyo Ulaanbaatar Vientiane Vladivostok Yakutsk Yekaterinburg Yerevan
Atlantic Azores Bermuda Canary Cape_Verde Faeroe Reykjavik St_Helena Stanley
Australia Adelaide Brisbane Darwin Eucla Lord_Howe Perth Sydney
Europe Amsterdam Andorra Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Chisinau Copenhagen Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta Mariehamn Monaco Moscow Oslo Paris Podgorica Prague Rome Samara San_Marino Sarajevo Skopje Sofia Stockholm Tirane Vaduz Vatican Vienna Warsaw Zagreb Zurich
Indian Antananarivo Chagos Christmas Cocos Comoro Mahe Maldives Mauritius Mayotte Reunion
Pacific Apia Auckland Bougainville Chatham Easter Efate Enderbury Fakaofo Fiji Funafuti Galapagos Gambier Guadalcanal Guam Honolulu Kiritimati Kosrae Majuro Marquesas Nauru Niue Norfolk Noumea Pago_Pago Palau Ponape Port_Moresby Rarotonga Saipan Tahiti Tarawa Tongatapu Truk Wallis
`;

/** Zones of which a number may be in any: their codes go on where those of ZONES end. */
export const ZONE_SETS = `
AMAS BBBG BXBYBZCACDCGCLCMCRCSCTCVCXCYDDDFDGDKDLDUDVDWDYECEEEFEHEKENEOEPEQEREVEWEXEYHNKSKTLCLH BXBYDGKT CGCRDK CICNCODPDQDRDWDZEU CIDR CMCR
CMCRDY CMDW CNCO CNDQ CNDQDR CNDZ CQDH CRDK CREC CTCVEVEXEY CTEH CTEX CWEMET CWET DBKP DDEFEN DDEV DNDXEIEL DNEI DNEL DPDR DRDW DREU DXEL
EGEJ EGEJKJ EVEY EZJD FBFDFEGAGFGIGLGQGRGWHIHJHKISJCJI FBFE FOFZHG FOHG FVFW FZHG GBGC GBGCGM GBGM GCGM GLHIHJ GPIQ HMIU HOIY
HUHVHWHXHYHZIAJXJY HUHWHXHZ HUHWHZ HUHWHZIA HUHWHZJX HUHWHZJY HVIA INIPIRIW INIPIW IOJA ISJC JHJQ KDKE KGKI KHLF KLKULJ KQKXLI KVLELL
`;

/** Zones of area codes of +1, and for each code from 201 on a letter: ( is the first of these zones; a blank: none. */
export const AREA_CODES = `
BZCACDCLCMCRCSCTCXCYDDDFDKDLDUDVDWECEEEFEKEOEPEQEREVEWEXEYHNKSKTLCLHLQLRLULVLWMCMDMEMFMGMKMLMV
888D,48K4, 84,88,,N8  8,,A8,8 8  8,S  88 7   * 8AS,84, ,S  8 ,A(  8)8N 8A, 8  4 , 8B    A           88-88R-L,4 ,8,8,8,,,8 48,8, 88,8 N 8, 8?4 A +,8  488,A     4, 8NA U/4          8 A  -8              8,/8,-84,8 88,4A,U8   N44  2 ,D, 8- AA 8E48 8 ,N A       O    8,   A,8 81R8  8,9   8                ,84,-2,844 ,8A,888A9         4,  ,    ,8O      A  8     , 4 84,4  8  88,,N-   A,U8 D88/             ,98CMN8,88 ,A8,88,4L  9  4 4,,8    ,  R8,   88A 04,    843,,4, 6  8 4IFS     8 88,AH 8  8           M488A84,T  ,,4,888--5  84,88 ,,8 8  ,4 8 A8   4-    A8  8> 4 8, 8 . ,888,8K  S,/82 @L8;             -8884,VG<8 N88,,,4A48   /8 8<,4,  8  884  8 8 ,8<N   8 88488 8888 Q:=, ,A  3 8T                     ,2,8ANJ848 8,8-48,8,    4  P8N,  8 ,8,;,8A8 , 884 4, 8 ,  8          -4,8 ,  8,8  -8,K  8
`;

/**
 * A line is a calling code: its own zones, then the longer prefixes. Of each the letter says how many digits it has in common with the one
 * before (a: none behind the calling code); zones that are the same as the last ones are left out.
 */
export const PREFIXES = `
1LP
20AL
211AX
212LN
213AD
216BV
218BU
220AH
221AO
222BQ
223AF
224AN
225AA
226BR
227BP
228BE
229BS
230KC
231HR
232AT
233AB
234BC
235BO
236AG
237AR
238HP
239BT
240BI
241BD
242AJ
243LOa1BBa2BGa3BB
244BF
245HR
246JW
247HS
248KA
249AZ
250BA
251AC
252BM
253AQ
254BN
255AP
256AY
257AK
258BJ
260BH
261JV
262NXa262KEc3c9KD
263AV
264BW
265AI
266BK
267AU
268BL
269JZ
27AW
290HS
291AE
297CB
298HQ
299MHa1CWa31b2b3b4b5b6b7a6a81b2b3b4b5b6b7b8b9a9b7MIb9EM
30ID
31IB
32IH
33JE
34NKa81IYb2c2HOc7c8b3IYb4b5b6b7b8a91b2c2HOc8b3IYb4b5b60c1c2c3c4c5c6c7c8b71c2c4c5c6c7c8c9b8
350IM
351NJa2IUb92HMc5c6
352IX
353NT
354HR
355JO
356IZ
357GP
358NUa13IOb4b5b6b7b8JAb9IOa21b2b3b4b5b6b7b8a31b2b3b4b5b6b7b8a51b2b3b4b5b6b7b8a61b2b3b4b5b6b7b8a81b2b3b4b5b6b7b8a9
359JM
36IJ
370II
371II
372II
373IK
374HL
375JC
376IC
377JB
378JJ
380IT
381IE
382JF
383IE
385JT
386IV
387JK
389JL
39NWa01JHb2b3b4b5b6c698JQb7JHb80c1c2c3c5c6c8c9b9
40II
41JU
420JG
421IG
423JP
43JR
44NSa1IWb481INb534IRb624IPa2IW
45IL
46JN
47MWa2JDa3a5a6a7b9EZ
48JS
49IF
500HT
501CE
502DA
503CU
504ES
505DM
506CP
507EA
508DS
509ED
51DJ
52LSa2DRb00MRc1MQa31DRc1DQc9b2DRc3DQc4c5c7b3DRb4b5b7b8c9DQb9DRa4a55b6b8b9a612DQc3c4LYc5DQc6EUc8DRb2DQc1LYc5c6MAc7LYc8c9b3DQc5LYc6c9b4DQc6EUc8LYc9LZb51DQc2LYc3DQc6LXc7LYc8EUc9LYb60DQc1EUc2DQc3MRc4EUc5c7DQc8c9b71DRc2DQc3c4DRc5c6c7b86EUc7DQb9a7DRa81b2b3b4b6c2MPc7DPc8MPc9b7DRc3MPc7DPc8b9DRc1MPc4DPc7MPc9DPa91DRb2b3b5b6b7b8c3LTc4CIc7b9DRc7LTc8CI
53DE
54CH
55MMa1ELa2a31b2b3b4b5b7b8a41b2b32c3c4c5b4b5b6b7b82c3c4c5b9a51b3b4b5MOa61ELb2b3b4b5DNb6MOb7b8EIb9MOa7ELa81MSb2ELb3b4b5b6b7b8b9a91MOb2b3b4b5DNb6ELb7MNb8ELb9
56MUa809MT
57CF
58CJ
590CZ
591DI
592DC
593MJa22DBb3b4b5b6b7a32b3b4b5b6b7a42b3b4b5b6b7a53c0MJb4DBb5b6b7a62b3b4b5b6b7a72b3b4b5b6b7
594CK
595CC
596DO
597EB
598DT
599MBa417DHa71b2b5a94CQb50b7b8
60GJ
61NLa2IAb55053HYd143d213e80d307e69d413d568d936f7b65080f1f2e99d164d251e96d341d606e32d998a3IAa7NRb21000HVf1f2f3e1e2e3e4b3018e9d3d40e1e6d5d600e1e40f1f3e51f9e6e7e8e9d7d8d923e38e6e7e92c1c22d3d6d91e2e5e6c300e95f9d16e9d22d30e3d42d5d6c403e4e5e6e7d11e4d2d34e5d43d52e5e6e7d60d93e73f4f5f6c50d3d40e6e7e8d5d678c60d13d2d3d404f5f6f9e6e7e8d66e77f8f9e80c70d1d2d3d48d77e88c811e5d23e8d348e59d87d9c900e1e4e5d10e10f1f2e4e5e60f1e7e8d22e4d475d99a8510NNe01JXf2JYe30JXf1JYe59JXe60JYe87HZf8JXf9JYe9HZd1e00NNe16f7JXf8JYf9NNe2e3e40f1f2f3f4f6JXe56NNf8e75JXf6JYe85NNf7d20HZf4JXf5NOf9NNe1e21f2JXf3JYf4HZf5f6f7NNf8f9e30NOf1NNf2NOf3f4f5JXf6NNf7f8f9e4NOe5e6e7NNe8e9d3NOd4c5NNb6b7b8b9c0393NMf5c1006NPf7f8f9e10NQf1f2e29d122e49NPe50NQe78NPf9NQe81NPf2NQd209NPe10NQe63NPf4NQd308e12NPe22NQf6NPe68NQe75NPd428NQe56NPe97f8NQd62JYe4JXd700NPf1f2NQf3JYe10NPf1f2d958JXf9NQ
62NEa2GBa31b2b3b4b5b6GMb7c9NFb8GMa4b03NGb58NFa511GMc2c3GBc5c6NFc7GMc8c9GBb22c5c6NFc7GMc8GBb3c9NFb4GMb5b6GBa6a7a90GCb1c5NDb2GCc0NDb51GCc2NDc5GCc6c7c8NDb62GCc3NDc6GCc7c9b71c5c9NDb8GC
63GN
64NYa24KGa3b30NYa4KGa6a72b3b4b5b7b8b9a92b3b4b5b6b7b8b9
65GZ
66FJ
670FS
672LA
673FM
674KY
675NZ
676LK
677KR
678KK
679KN
680LD
681LM
682LG
683KZ
685KF
686OA
687LB
688KO
689OBa40LIc9OBb94LIc5c6c8
690KM
691OC
692KW
7MXa301GAc2HJb3HKb4c1JIb5HKb6JCb81GRc2GQc3c4GIc5c8b90c1c4c5GAa40ISb11NHc3GLc5GFc6HJb21HIc3c4GWc6HIc7FDb7JCb8b9a7MYb1FBc1FEc2c3b2FBc9FEa811JCc2c3c4c5c6c7c8b2b3b40NVc1JCc2JIc3JCc4c5JIc6c7JCc8JIb51c5JCc6c7b6b7
81HF
82GX
84FX
850GX
852FY
853GY
855GS
856HH
86GY
880FR
886HA
90NI
91FN
92GG
93GE
94FP
95GU
960KB
961FK
962FC
963FQ
964FG
965GK
966GV
967FA
968GO
970NB
971FT
972GD
973FH
974GT
975HE
976MZa11HGb2b3c62NAb4NCb5HGc8FOa21HGb2b3c62NAb4NCb5HGc8FOa53HGb6b8a70NC
977GH
98HD
992FU
993FF
994FI
995HC
996FL
998HB
`;
