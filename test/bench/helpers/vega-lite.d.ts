/** vega-lite's own types are not found by the older module resolution, which this project's packages need. */
declare module 'vega-lite' {
	export * from 'vega-lite/build/index';
}
