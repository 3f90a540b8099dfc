/** Its types lie where the older way of finding modules, which this project's packages ask for, does not look. */
declare module 'vega-lite' {
	export * from 'vega-lite/build/index';
}
