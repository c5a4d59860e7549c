/**
 * Mistakes that the suites must notice: in `file`, `find` (which occurs once) becomes `replacement`, and a test of `suites`
 * (paths, as Jest takes them) has to fail. `npm run mutants` makes them one by one.
 */
function inFile(file, suites, mistakes) {
  return mistakes.map(([find, replacement]) => ({ file, suites, find, replacement }));
}

const ROUTING = 'apps/control-plane/src/routing/table';
const POOLS = 'libs/isolation/src/pools';
const FILTER = 'libs/scim/src/filter';
const PATCH = 'libs/scim/src/patch';
const GUARDS = 'libs/guards/src';
const POLICY = 'libs/domain/src/policy';
const POLICY_MODEL = 'libs/isolation/src/isolation.model.spec';
const LEDGER_MODEL = `${POLICY}/cap-ledger.model.spec`;
const TENANCY = 'libs/domain/src/tenancy';

export const MUTATIONS = [
  // Routing
  ...inFile(
    `${ROUTING}/rules.ts`,
    [`${ROUTING}/rules.spec`],
    [
      ['.every(({ holds }) => holds)', '.some(({ holds }) => holds)'],
      ["case '>=':\n      return revenue >= amount;", "case '>=':\n      return revenue > amount;"],
      ['id !== undefined && contracts.includes(id)', 'id === undefined || contracts.includes(id)'],
    ],
  ),
  ...inFile(
    `${ROUTING}/placement.ts`,
    [`${ROUTING}/routing-table`],
    [
      ['const pool = tenant.pool ?? ofRule;', 'const pool = ofRule ?? tenant.pool;'],
      ['rule !== undefined && pool === ofRule ?', 'rule !== undefined ?'],
    ],
  ),
  ...inFile(
    `${ROUTING}/route-finder.ts`,
    [`${ROUTING}/`],
    [
      ["?? 'session';", "?? 'none';"],
      ["deployment: 'multi_tenant' }, pool);", "deployment: 'single_tenant' }, pool);"],
    ],
  ),
  ...inFile(
    `${TENANCY}/namespace-pattern.ts`,
    [`${TENANCY}/namespace-pattern`],
    [
      ['resumeAt += 1;', 'resumeAt += 2;'],
      ['literalPrefix(b).length - literalPrefix(a).length', 'literalPrefix(a).length - literalPrefix(b).length'],
      ["if (consumed === '-' && ending !== EMPTY) {", "if (consumed === '-') {"],
    ],
  ),
  ...inFile(
    `${TENANCY}/prefix-table.ts`,
    [`${TENANCY}/prefix-table`],
    [
      ['if (distance >= ((place - hole) & mask)) {', 'if (distance > ((place - hole) & mask)) {'],
      ['this.count -= 1;', ''],
      ['if (key.length === length && text.startsWith(key)) {', 'if (key !== undefined) {'],
      [' || this.entries[2 * place] !== key)', ')'],
    ],
  ),
  // Allocator and pools
  ...inFile(
    `${POOLS}/slot-allocator.ts`,
    [`${POOLS}/namespace-pools.(spec|fairness|resize|shutdown)`],
    [
      ['heir !== owner && owner.held > owner.terms.reserved)', 'heir !== owner)'],
      ['this.#capacity.giveBack(pool);', ''],
      ['(this.#excess > 0 && pool.held > reserved)', '(this.#excess > 0 && pool.held >= reserved)'],
      [
        "} else if (connection.state === 'closing') {\n      this.#closing--;",
        "} else if (connection.state === 'closing') {",
      ],
    ],
  ),
  // Filters
  ...inFile(
    `${FILTER}/matches.ts`,
    [`${FILTER}/matches`],
    [
      [
        "case 'ge':\n      return compareValues(value, wanted) >= 0;",
        "case 'ge':\n      return compareValues(value, wanted) > 0;",
      ],
      ["? filter.operator === 'ne'", '? false'],
      ["value === null || value === ''", 'value === null'],
    ],
  ),
  ...inFile(
    `${FILTER}/parse-filter.ts`,
    [`${FILTER}/parse-filter`],
    [
      [
        "while (this.acceptKeyword('or')) {\n      operands.push(this.andExp());",
        "while (this.acceptKeyword('or')) {\n      operands.push(this.orExp());",
      ],
      ['if (this.depth === MAX_FILTER_DEPTH) {', 'if (this.depth > MAX_FILTER_DEPTH) {'],
      ['if (this.isInValuePath) {', 'if (false) {'],
    ],
  ),
  // Patches
  ...inFile(
    `${PATCH}/change-at.ts`,
    [`${PATCH}/`],
    [
      ['after === undefined && attribute.required', 'false'],
      ["mutability === 'immutable' && !isDeepStrictEqual(was, is)", "mutability === 'readOnly'"],
      ['return Object.keys(after).length === 0 ? undefined : after;', 'return after;'],
    ],
  ),
  ...inFile(
    `${PATCH}/change-elements.ts`,
    [`${PATCH}/`],
    [
      ["selection === undefined || dialect === 'entra'", 'true'],
      ['rejectImmutableChange(subAttributes, element, change.element);', ''],
      ['return isSame ? element : change.element;', 'return change.element;'],
      ['inspector.charge(current.length);', ''],
    ],
  ),
  ...inFile(`${PATCH}/element-inspector.ts`, [`${PATCH}/`], [['this.cost += cost;', 'this.cost = cost;']]),
  ...inFile(
    `${PATCH}/join-membership-changes.ts`,
    [`${PATCH}/join-membership-changes`],
    [
      ['if (count > MAX_CONDITIONS) {', 'if (count >= MAX_CONDITIONS) {'],
      ["(run.kind === 'add' && change.kind === 'add')", "(run.kind === 'add' && change.kind !== 'replace')"],
    ],
  ),
  // Guards
  ...inFile(
    `${GUARDS}/bearer-token.guard.ts`,
    [`${GUARDS}/bearer-token.guard`],
    [
      ['requireOneHeader(request);', ''],
      ['requireAdmission(request.principal, access);', ''],
      ['access.scope !== undefined && headers.authorization !== undefined', 'false'],
    ],
  ),
  ...inFile(
    `${GUARDS}/namespace/name-pattern.ts`,
    [`${GUARDS}/namespace/name-pattern`],
    [
      ['domain === trustDomain ?', 'domain !== undefined ?'],
      ['if (parts.length !== actual.length) {', 'if (parts.length > actual.length) {'],
    ],
  ),
  // The log
  ...inFile(
    'libs/domain/src/log/log-chain.ts',
    ['libs/domain/src/log/log-chain'],
    [
      ['if (record.position !== head.position + 1) {', 'if (record.position <= head.position) {'],
      ["record.seal === sealOver(head.seal, record.hash) ? undefined : 'seal'", 'undefined'],
      ['(a < b ? -1 : 1)', '(a < b ? 1 : -1)'],
    ],
  ),
  ...inFile(
    'apps/control-plane/src/log/verify-export.ts',
    ['apps/control-plane/src/log/verify-export'],
    [
      ['kept !== undefined && kept.position > last', 'false'],
      [
        'const start: LogPoint = head ?? segmentStart(segment.summary);',
        'const start: LogPoint = segmentStart(segment.summary);',
      ],
    ],
  ),
  ...inFile(
    'apps/control-plane/src/log/log-retention.ts',
    ['apps/control-plane/src/log/log-retention'],
    [
      ['through: exported?.through,', ''],
      ['now.getTime() - this', 'now.getTime() + this'],
    ],
  ),
  // Access
  ...inFile(
    'apps/scim-service/src/access/relationships.service.ts',
    ['apps/scim-service/src/access/relationships'],
    [
      [".filter(({ state }) => state === 'active')", ''],
      ['groups.filter(({ direct }) => direct)', 'groups'],
    ],
  ),
  ...inFile(
    'libs/isolation/src/control-plane/access-decisions.ts',
    ['libs/isolation/src/control-plane/access-decisions'],
    [
      ['answer !== undefined && entry.version === version', 'answer !== undefined'],
      ['!allowed && entry.doubtfulSinceMs !== undefined', 'entry.doubtfulSinceMs !== undefined'],
      ['const DENIAL_MS = 5000;', 'const DENIAL_MS = 1000;'],
    ],
  ),
  // Policy and the ledger of caps
  ...inFile(
    'libs/isolation/src/policy/isolation-policy.ts',
    ['libs/isolation/src/policy/'],
    [
      ['if (tenant === undefined) {', 'if (false) {'],
      ['if (pool !== expectedPool) {', 'if (false) {'],
      ['revision < before.revision && restored !== true', 'revision < before.revision'],
      ['perSessionLimit: own?.perSessionLimit ?? pool', 'perSessionLimit: pool'],
      ['max: Math.max(reserved, own?.connectionsPerNamespace ?? max),', 'max: own?.connectionsPerNamespace ?? max,'],
      ['this.#tell();\n  }\n\n  /**\n   * Changes the policy', '}\n\n  /**\n   * Changes the policy'],
    ],
  ),
  ...inFile(
    `${POLICY}/cap-ledger.ts`,
    [`${POLICY}/cap-ledger`],
    [
      ['const atMs = Math.max(nowMs, ledger.atMs);', 'const atMs = nowMs;'],
      ['const granted = Math.max(own.granted, limit);', 'const granted = limit;'],
      ['if (sequence < entry.sequence) {', 'if (sequence > entry.sequence) {'],
      ['return Math.max(0, base - this.#silentOf(proxy).base);', 'return base;'],
    ],
  ),
  // What the model-based tests notice by themselves: of a policy that changes, and of the ledger. `npm run mutants -- model`.
  ...inFile(
    `${POOLS}/capacity.ts`,
    [POLICY_MODEL],
    [
      ['this.#taken < this.#maxTotal && (', '('],
      ['(pool.size < pool.terms.reserved || this.#committed < this.#maxTotal)', 'true'],
      ['this.#committed += Math.max(0, size - terms.reserved);', ''],
      ['this.#taken--;', ''],
      ['this.#committed--;', ''],
      ['this.#committed++;', ''],
    ],
  ),
  ...inFile(
    `${POOLS}/slot-allocator.ts`,
    [POLICY_MODEL],
    [
      ['tenantId !== pool.terms.tenantId ||', ''],
      ['(!isPooled && (hasServed || pool.queue.length === 0)) ||', ''],
      ['pool.terms = terms;', ''],
      ['heir.promised--;', ''],
    ],
  ),
  ...inFile(
    `${POOLS}/pool-engine.ts`,
    [POLICY_MODEL],
    [
      ['this.refresh();', ''],
      ['this.#slots.recount(reservedTotal(this.#settings.current), this.registry.values());', ''],
    ],
  ),
  ...inFile(
    'libs/isolation/src/policy/isolation-policy.ts',
    [POLICY_MODEL],
    [
      ['this.#settings = settings;', ''],
      ['own?.connectionsPerNamespace ?? max)', 'max)'],
      ['if (tenant === undefined) {\n      throw', 'if (false) {\n      throw'],
    ],
  ),
  ...inFile(
    'libs/isolation/src/isolation-pools.ts',
    [POLICY_MODEL],
    [
      ['policy.onChange(() => this.#follow());', ''],
      ["this.policy.findTerms(namespace)?.level === 'namespace'", 'true'],
      ["level === 'none' ? SHARED : namespace", 'namespace'],
    ],
  ),
  ...inFile(
    'libs/isolation/src/running/connections.ts',
    [POLICY_MODEL],
    [
      ['terms?.level === level && terms.tenantId === tenantId', 'terms?.tenantId === tenantId'],
      ['options.policy.onChange(() => this.#rejectOutdated());', ''],
      ["terms.level === 'session' && session === undefined", 'false'],
    ],
  ),
  ...inFile(
    'libs/isolation/src/isolation-sessions.ts',
    [POLICY_MODEL],
    [
      ['policy.findTerms(namespace) !== undefined && policy.tenantOf(namespace) === policyTenantId', 'true'],
      [' && policy.tenantOf(namespace) === policyTenantId', ''],
    ],
  ),
  ...inFile(
    `${POLICY}/cap-ledger.ts`,
    [LEDGER_MODEL],
    [
      ['const granted = Math.max(own.granted, limit);', 'const granted = limit;'],
      ['untilMs: Math.max(own.untilMs, atMs + leaseMs),', 'untilMs: own.untilMs,'],
      ['if (timeMs < entry.untilMs) {', 'if (true) {'],
      ['sequence: own.sequence + 1,', 'sequence: own.sequence,'],
      ['(leaseMs - holdMs - CLOCK_STEP_MS)', '(leaseMs - holdMs)'],
      ['(leaseMs - holdMs - CLOCK_STEP_MS)', '(leaseMs - CLOCK_STEP_MS)'],
      ['const isLeft = entry.base > 0 && timeMs < entry.baseUntilMs;', 'const isLeft = false;'],
      ['if (sequence < entry.sequence) {', 'if (false) {'],
      ['base: Math.min(granted, entry.sentBase) }', 'base: 0 }'],
      ['this.#free = cap - total([own, ...others]);', 'this.#free = cap - total(others);'],
      ['Math.min(share - granted, this.#free)', 'share - granted'],
      ['granted - Math.max(0, this.#missing())', 'granted'],
      ['wanted: in_use + waiting, least', 'wanted: in_use, least'],
    ],
  ),
  ...inFile(
    `${POLICY}/held-cap-part.ts`,
    [`${POLICY}/held-cap-part`],
    [
      ['if (part.sequence > (this.sequence ?? 0)) {', 'if (part.sequence !== this.sequence) {'],
      ['Math.max(this.#part?.limit ?? 0, this.#asked.limit), 0)', 'this.#part?.limit ?? 0, 0)'],
    ],
  ),
  ...inFile(
    `${POLICY}/fair-shares.ts`,
    [`${POLICY}/fair-shares`],
    [['(rank < remainder ? 1 : 0)', '(rank <= remainder ? 1 : 0)']],
  ),
];
