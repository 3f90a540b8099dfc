/*!
 * Time zones by number. Made from resources/timezones/map_data.txt of libphonenumber 9.0.27
 * (https://github.com/google/libphonenumber), and changed: +1 is united by area code, mobile
 * numbers stand for their whole country, some zones are corrected.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0;
 * you may obtain a copy at http://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS"
 * BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
import { isBlank, ok, problem, quoted, textOf } from '../values';
import prefixes from './timeZonePrefixes.json';
import { hostNameOf } from './zoneTime';

/** Zones by what numbers in them begin with, which the file has the other way round. Read once. */
let zonesByPrefix: Map<string, readonly string[]> | undefined;

/**
 * The IANA zones of which a number (E.164) is in one, the best-known first, by its longest prefix
 * in the table; empty when none is known.
 */
export function timeZonesOf(number: string): readonly string[] {
	zonesByPrefix ??= new Map(
		Object.entries(prefixes).flatMap(([zones, beginnings]) =>
			beginnings.split(' ').map((prefix) => [prefix, zones.split(',')] as const),
		),
	);
	for (let end = number.length; end > 1; end--) {
		const zones = zonesByPrefix.get(number.slice(1, end));
		if (zones) return zones;
	}
	return [];
}

/** No zone has a longer name. */
const MAX_NAME_LENGTH = 40;

/**
 * Time Zone of a row: the IANA name of a place in any case ("us_slash_eastern", as CRMs write it,
 * too), as a list of one zone; undefined when it is empty. Offsets, abbreviations, UTC and Etc/… are
 * rejected: EST has no summer time, Etc/GMT-5 is east of Greenwich, and UTC is what a database
 * holds when nobody chose a zone.
 */
export function readTimeZone(cell: unknown) {
	if (isBlank(cell)) return ok(undefined);
	const name = (textOf(cell, MAX_NAME_LENGTH) ?? '')
		.trim()
		.replace(/_slash_/gi, '/')
		.replace(/ /g, '_');
	const host = /^(?!etc\/)[a-z_]+\/[a-z0-9_+\-/]+$/i.test(name) && hostNameOf(name);
	if (!host)
		return problem(
			`the rule Time Zone is ${quoted(cell)}, which is not the time zone of a place`,
			'Use a name such as Europe/Berlin or America/New_York.',
		);
	// The host may have an older name (Asia/Calcutta): the builder's own is shown, unless it is all
	// lower case.
	const isOwn = /[A-Z]/.test(name) && name.toLowerCase() !== host.toLowerCase();
	return ok([isOwn ? name : host]);
}
