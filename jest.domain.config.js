const base = require('./jest.config');

/** The rules alone: what mutation testing runs for each change that it makes to them. */
module.exports = { ...base, testMatch: ['<rootDir>/test/domain/**/*.test.ts'] };
