// Servers that suites share live as long as this process, not as long as the worker that started them (testkit/servers).
process.env['TEST_RUN_PID'] = String(process.pid);

/** Tests run from the sources: the `@lyceum/source` export condition of the workspaces, compiled by swc, as native ES modules. */
export default {
  setupFiles: ['<rootDir>/libs/tools/testkit/src/frozen-sharing.ts'],
  testMatch: ['<rootDir>/{libs,libs/tools,services}/*/src/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, sourceMaps: true }],
  },
  transformIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env['TEST_LENGTH'] === 'long' ? [] : ['\\.long\\.test\\.ts$']),
  ],
  testEnvironmentOptions: { customExportConditions: ['@lyceum/source', 'node', 'node-addons'] },
  testSequencer: '<rootDir>/libs/tools/devtools/src/slow-first.mjs',
  cacheDirectory: '<rootDir>/.cache/jest',
  workerIdleMemoryLimit: '600MB',
  maxWorkers: 2,
  testTimeout: 240_000,
};
