/** What every rule uses: values of strangers, texts, and problems. */
export * from './format';
export * from './problem';
export * from './untrustedValues';
export * from './unusableText';
