import { join } from 'node:path';
import { COMMON_VARIABLES } from './common-variables.js';
import type { Rule } from './load-variables.js';
import { unlessThrown } from '@palisade/domain';
import { variable, type Values, type Variable } from './variable.js';

interface StoreUrlOptions {
  /** Tells what a URL names; throws a SyntaxError for one that names nothing. */
  readonly parse: (url: string) => { readonly kind: string };
}

/** The embedded database's directory, below `SVC_DATA_DIR`: the same for every service, and for one process at a time. */
const DIRECTORY = 'postgres';

type StoreVariables = Pick<typeof COMMON_VARIABLES, 'mode' | 'dataDirectory'> & {
  readonly storeUrl: Variable<string | undefined>;
};

/** What a service needs to know of its environment in order to open its store, and nothing else. */
export interface StoreEnvironment {
  readonly variables: StoreVariables;
  /** In production a store must be named, and it must last. */
  readonly rule: Rule<StoreVariables>;
  /** The store that is named, or the embedded one. */
  readonly urlOf: (values: Pick<Values<StoreVariables>, 'storeUrl' | 'dataDirectory'>) => string;
}

/** The variable `SVC_STORE_URL` of a service, with what depends on it. */
export function storeEnvironment({ parse }: StoreUrlOptions): StoreEnvironment {
  const { mode, dataDirectory } = COMMON_VARIABLES;
  const storeUrl = variable<string, { description: string; computedDefault: string; secret: true }>(
    'SVC_STORE_URL',
    {
      description:
        'Where everything is kept. What is kept in `memory:` ends with the process, and production rejects it.',
      computedDefault: `\`embedded:<SVC_DATA_DIR>/${DIRECTORY}\`; required in production`,
      secret: true,
    },
    '`postgres://user:password@host:port/database` with user and password percent-encoded, `embedded:<directory>` or `memory:`',
    (value) => unlessThrown(SyntaxError, () => parse(value) && value),
  );
  return {
    variables: { mode, dataDirectory, storeUrl },
    rule: { needs: ['mode', 'storeUrl'], check: (values) => lastingInProduction(values, parse) },
    urlOf: (values) => values.storeUrl ?? `embedded:${join(values.dataDirectory, DIRECTORY)}`,
  };
}

function lastingInProduction(
  { mode, storeUrl }: Pick<Values<StoreVariables>, 'mode' | 'storeUrl'>,
  parse: StoreUrlOptions['parse'],
): string | undefined {
  if (mode !== 'production') {
    return undefined;
  }
  if (storeUrl === undefined) {
    return 'SVC_STORE_URL: required in production, e.g. postgres://user:password@host/palisade';
  }
  return parse(storeUrl).kind === 'memory'
    ? 'SVC_STORE_URL: expected postgres://… or embedded:<directory> in production, memory: keeps nothing'
    : undefined;
}
