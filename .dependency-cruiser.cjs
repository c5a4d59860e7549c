/** Who may import whom: apps → platform → guards → domain → nothing; apps → storage → scim → domain. */
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
      name: 'domain-imports-nothing',
      severity: 'error',
      from: { path: '^libs/domain/src/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^libs/domain/src/' },
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
      name: 'storage-imports-scim-and-domain',
      severity: 'error',
      from: { path: '^libs/storage/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(domain|scim|storage)/' },
    },
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
      to: { path: '^libs/', pathNot: '^libs/(domain|isolation)/' },
    },
    {
      name: 'platform-imports-guards-and-domain',
      severity: 'error',
      from: { path: '^libs/platform/(src|test)/' },
      to: { path: '^libs/', pathNot: '^libs/(domain|guards|platform)/' },
    },
    {
      name: 'a-lib-is-entered-by-its-index',
      severity: 'error',
      from: { path: '^(apps|libs|test|bench)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^$1/$2/'] },
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
      from: { path: '^(apps|libs)/[^/]+/src/', pathNot: '\\.spec\\.ts$' },
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
