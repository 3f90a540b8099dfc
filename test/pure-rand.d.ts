/** Their types lie where the older way of finding modules, which this project's packages ask for, does not look. */
declare module 'pure-rand/distribution/uniformFloat64' {
	export * from 'pure-rand/lib/distribution/uniformFloat64';
}
declare module 'pure-rand/distribution/uniformInt' {
	export * from 'pure-rand/lib/distribution/uniformInt';
}
declare module 'pure-rand/generator/mersenne' {
	export * from 'pure-rand/lib/generator/mersenne';
}
