/**
 * The only module that imports a library. The build bundles it into a file of its own, loaded with
 * the first number.
 */
export { Metadata, parsePhoneNumberFromString, type PhoneNumberType } from 'libphonenumber-js/core';
export { default as metadata } from 'libphonenumber-js/metadata.max.json';
