const base = require('./jest.config');

/** Unit and property tests alone: what mutation testing runs for each change that it makes to the code. */
module.exports = { ...base, testMatch: ['<rootDir>/test/unit/**/*.test.ts'] };
