import { isObject, type IsolationLevel } from '@palisade/domain';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { Kind } from '../kinds/kind.js';
import { hasForm } from './has-form.js';
import { registerKey, type Key, type SectionClass } from './key-registry.js';
import { toInstance } from './to-instance.js';

/** Name of the one constraint of each key; its argument is the `Key`. */
export const KEY_CONSTRAINT = 'settingsKey';

export interface KeyOptions {
  readonly required?: boolean;
  readonly levels?: readonly IsolationLevel[];
  readonly appliesTo?: string;
  readonly computedDefault?: string;
}

/** One value. */
export function Setting(kind: Kind<unknown>, description: string, options: KeyOptions = {}): PropertyDecorator {
  return define(options, (described) => ({ ...described, description, form: 'value', kind }));
}

/** A list of values. */
export function SettingList(
  kind: Kind<unknown>,
  description: string,
  { maxItems, ...options }: KeyOptions & { readonly maxItems: number },
): PropertyDecorator {
  return define(options, (described) => ({ ...described, description, form: 'list of values', kind, maxItems }));
}

export interface NamedOptions extends KeyOptions {
  /** What a name may be. */
  readonly names: Kind<string>;
  readonly maxItems: number;
}

/** Values by name, as a Map. */
export function NamedSettings(
  kind: Kind<unknown>,
  description: string,
  { names, maxItems, ...options }: NamedOptions,
): PropertyDecorator {
  const toMap = Transform(({ obj, key }) => (isObject(obj[key]) ? new Map(Object.entries(obj[key])) : obj[key]));
  return define(
    options,
    (described) => ({ ...described, description, form: 'named values', kind, names, maxItems }),
    toMap,
  );
}

/** A section with keys of its own. With a `shorthand`, a text stands for the section with this key only. */
export function Section(
  section: () => SectionClass,
  description: string,
  { shorthand, ...options }: KeyOptions & { readonly shorthand?: string } = {},
): PropertyDecorator {
  const expand = Transform(({ value }) =>
    shorthand !== undefined && typeof value === 'string' ? toInstance(section(), { [shorthand]: value }) : value,
  );
  return define(
    options,
    (described) => ({ ...described, description, form: 'section', section, shorthand }),
    Type(section),
    expand,
    ValidateNested(),
  );
}

/** A list of sections. */
export function SectionList(
  section: () => SectionClass,
  description: string,
  { maxItems, ...options }: KeyOptions & { readonly maxItems: number },
): PropertyDecorator {
  return define(
    options,
    (described) => ({ ...described, description, form: 'list of sections', section, maxItems, isLong: false }),
    Type(section),
    ValidateNested(),
  );
}

/** A list that may have very many sections; its items stay plain objects. */
export function LongSectionList(
  section: () => SectionClass,
  description: string,
  { maxItems, ...options }: KeyOptions & { readonly maxItems: number },
): PropertyDecorator {
  return define(options, (described) => ({
    ...described,
    description,
    form: 'list of sections',
    section,
    maxItems,
    isLong: true,
  }));
}

/** Sections by name, as a Map. */
export function NamedSections(
  section: () => SectionClass,
  description: string,
  { names, maxItems, ...options }: NamedOptions,
): PropertyDecorator {
  // Not by `Type`: class-transformer drops the names of a Map's methods, such as "get" and "size".
  const toMap = Transform(({ obj, key }) =>
    isObject(obj[key])
      ? new Map(Object.entries(obj[key]).map(([name, value]) => [name, toInstance(section(), value)]))
      : obj[key],
  );
  return define(
    options,
    (described) => ({ ...described, description, form: 'named sections', section, names, maxItems }),
    toMap,
    ValidateNested(),
  );
}

type Described = Pick<Key, 'name' | 'isRequired' | 'levels' | 'appliesTo' | 'computedDefault'>;

function define(
  { required: isRequired = false, levels, appliesTo, computedDefault }: KeyOptions,
  complete: (described: Described) => Key,
  ...decorators: readonly PropertyDecorator[]
): PropertyDecorator {
  return (target, name) => {
    const key = complete({ name: String(name), isRequired, levels, appliesTo, computedDefault });
    registerKey(target.constructor, key);
    if (!isRequired) {
      ValidateIf((_, value: unknown) => value !== undefined)(target, name);
    }
    const validator = { validate: (value: unknown) => hasForm(key, value), defaultMessage: () => key.form };
    ValidateBy({ name: KEY_CONSTRAINT, constraints: [key], validator })(target, name);
    for (const decorate of decorators) {
      decorate(target, name);
    }
  };
}
