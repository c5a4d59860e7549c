import type { IsolationLevel } from '@palisade/domain';
import type { Kind } from '../kinds/kind.js';

export type SectionClass = new () => object;

interface Described {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** When the key is of use at these isolation levels only. */
  readonly levels?: readonly IsolationLevel[];
  /** When the key is of use in some cases only: the case, for people. */
  readonly appliesTo?: string;
  /** How the default is found when the key is absent and its class has none: for people. */
  readonly computedDefault?: string;
}

/** A key of a section, by the form of its value. */
export type Key = Described &
  (
    | { readonly form: 'value'; readonly kind: Kind<unknown> }
    | { readonly form: 'list of values'; readonly kind: Kind<unknown>; readonly maxItems: number }
    | {
        readonly form: 'named values';
        readonly kind: Kind<unknown>;
        readonly names: Kind<string>;
        readonly maxItems: number;
      }
    | { readonly form: 'section'; readonly section: () => SectionClass; readonly shorthand?: string }
    | {
        readonly form: 'list of sections';
        readonly section: () => SectionClass;
        readonly maxItems: number;
        /** Checked without class-validator, whose time and memory such lists would take. */
        readonly isLong: boolean;
      }
    | {
        readonly form: 'named sections';
        readonly section: () => SectionClass;
        readonly names: Kind<string>;
        readonly maxItems: number;
      }
  );

const registry = new Map<unknown, Map<string, Key>>();

/** Notes a key of a class; decorators call it. */
export function registerKey(target: unknown, key: Key): void {
  const keys = registry.get(target) ?? new Map<string, Key>();
  registry.set(target, keys.set(key.name, key));
}

/** The keys of a section by name, in the order of the class; inherited ones first. */
export function keysOf(section: SectionClass): ReadonlyMap<string, Key> {
  const parent: unknown = Object.getPrototypeOf(section);
  const inherited = isSectionClass(parent) ? keysOf(parent) : new Map<string, Key>();
  return new Map([...inherited, ...(registry.get(section) ?? [])]);
}

/** The keys of the section that this is. */
export function keysOfInstance(section: object): ReadonlyMap<string, Key> {
  const { constructor }: { readonly constructor: unknown } = section;
  return isSectionClass(constructor) ? keysOf(constructor) : new Map();
}

function isSectionClass(value: unknown): value is SectionClass {
  return registry.has(value);
}
