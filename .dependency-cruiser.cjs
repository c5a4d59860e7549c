/** Who may import whom: apps → platform → guards → domain → nothing; apps → storage → scim → domain; storage → isolation → domain. */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'apps-do-not-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'libs-do-not-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'nobody-imports-examples',
      severity: 'error',
      from: { pathNot: '^(examples|bench|test)/' },
      to: { path: '^examples/' },
    },
    {
      name: 'examples-import-only-libs',
      severity: 'error',
      from: { path: '^examples/([^/]+)/src/' },
      to: { path: '^(apps|examples|test)/', pathNot: '^examples/$1/' },
    },
    {
      name: 'cli-asks-over-http',
      severity: 'error',
      from: { path: '^cli/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(apps|examples|libs|test)/|node_modules/@nestjs/', pathNot: '^libs/(async|client|domain)/src/' },
    },
    {
      name: 'domain-imports-nothing',
      severity: 'error',
      from: { path: '^libs/domain/src/', pathNot: '\\.spec\\.ts$' },
      // Hashing is a pure function.
      to: { pathNot: '^(libs/domain/src/|(node:)?crypto$)' },
    },
    {
      name: 'async-imports-nothing',
      severity: 'error',
      from: { path: '^libs/async/src/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^libs/async/src/' },
    },
    {
      name: 'scim-imports-only-domain',
      severity: 'error',
      from: { path: '^libs/scim/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/(domain|scim)/src/' },
    },
    {
      name: 'scim-is-framework-free',
      severity: 'error',
      from: { path: '^libs/scim/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|express|pg|kysely)/' },
    },
    {
      name: 'storage-imports-scim-isolation-and-domain',
      severity: 'error',
      from: { path: '^libs/storage/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(async|domain|isolation|scim|storage)/' },
    },
    {
      name: 'storage-needs-no-framework-for-its-pools',
      severity: 'error',
      from: { path: '^libs/storage/src/' },
      to: { path: '^libs/isolation/src/index\\.ts$' },
    },
    {
      name: 'only-the-index-of-isolation-needs-nest',
      severity: 'error',
      from: { path: '^libs/isolation/src/(postgres|redis|nats|kafka|settings)\\.ts$' },
      to: { path: 'node_modules/@nestjs/', reachable: true },
    },
    ...Object.entries({
      '(index|settings)': '(pg|redis|@nats-io|@platformatic)',
      postgres: '(redis|@nats-io|@platformatic)',
      redis: '(pg|@nats-io|@platformatic)',
      nats: '(pg|redis|@platformatic)',
      kafka: '(pg|redis|@nats-io)',
    }).map(([entry, others]) => ({
      name: 'isolation-needs-no-driver-but-the-one-asked-for',
      severity: 'error',
      from: { path: `^libs/isolation/src/${entry}\\.ts$` },
      to: { path: `node_modules/${others}/`, reachable: true },
    })),
    {
      name: 'guards-import-only-domain',
      severity: 'error',
      from: { path: '^libs/guards/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(domain|guards)/' },
    },
    {
      name: 'isolation-imports-only-domain',
      severity: 'error',
      from: { path: '^libs/isolation/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(async|domain|isolation)/' },
    },
    {
      name: 'platform-imports-guards-and-domain',
      severity: 'error',
      from: { path: '^libs/platform/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(async|domain|guards|platform)/' },
    },
    {
      name: 'client-asks-over-http',
      severity: 'error',
      from: { path: '^libs/client/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(apps|cli|examples|libs|test)/|node_modules/@nestjs/', pathNot: '^libs/client/src/' },
    },
    {
      name: 'a-lib-is-entered-by-its-index',
      severity: 'error',
      from: { path: '^(apps|cli|examples|libs|test|bench)/([^/]+)/' },
      to: {
        path: '^libs/([^/]+)/src/',
        pathNot: [
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/isolation/src/(postgres|redis|nats|kafka|settings)\\.ts$',
          '^libs/platform/src/require-node\\.ts$',
          '^$1/$2/',
        ],
      },
    },
    {
      name: 'a-lib-does-not-import-its-own-index',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/.+' },
      to: { path: '^libs/$1/src/index\\.ts$' },
    },
    {
      name: 'not-to-dev-dependency',
      severity: 'error',
      from: { path: '^(cli|(apps|examples|libs)/[^/]+)/src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
