const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/scripts/lib/jest/environment.mjs',
  testRunner: '<rootDir>/scripts/lib/jest/test-runner.mjs',
  transform: { '^.+\\.ts$': swc },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@palisade/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@palisade/([a-z-]+)/([a-z-]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** unit: no service needed. contract and e2e: scripts/test.mjs starts the servers that they use, and names them in variables. */
export default {
  maxWorkers: '100%',
  // Only to end what hangs: machines are shared, and nothing is asserted about time.
  testTimeout: 120_000,
  // Modules of finished suites stay in memory; a worker that holds much is replaced.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,examples,libs}/**/src/**/*.spec.ts', '<rootDir>/cli/src/**/*.spec.ts'],
    },
    { ...shared, displayName: 'contract', testMatch: ['<rootDir>/libs/**/test/**/*.contract-spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{apps,examples,libs}/*/test/**/*.e2e-spec.ts', '<rootDir>/{cli/,}test/**/*.e2e-spec.ts'],
    },
  ],
};
