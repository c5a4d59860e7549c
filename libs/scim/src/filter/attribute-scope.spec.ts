import { describe, expect, it } from '@jest/globals';
import { defineAttribute } from '../schema/define-attribute.js';
import { comparableSteps, elementScope, referenceTo } from './attribute-scope.js';

const VALUE = defineAttribute({ name: 'value', description: '' });
const MANAGER = defineAttribute({ name: 'manager', description: '', type: 'complex', subAttributes: [VALUE] });
const EXTENSION = defineAttribute({ name: 'urn:x', description: '', type: 'complex', subAttributes: [MANAGER] });
const TAGS = defineAttribute({ name: 'tags', description: '', multiValued: true });

describe(elementScope.name, () => {
  it('resolves names from the innermost attribute on', () => {
    expect(elementScope([EXTENSION, MANAGER]).resolve('VALUE')).toEqual([VALUE]);
  });

  it('resolves two steps inside an extension', () => {
    expect(elementScope([EXTENSION]).resolve('manager.Value')).toEqual([MANAGER, VALUE]);
  });

  it.each(['', '.', 'value', 'manager.', 'manager.other', 'manager.value.x', '__proto__', 'constructor'])(
    'finds nothing under %j',
    (path) => {
      expect(elementScope([EXTENSION]).resolve(path)).toBeUndefined();
    },
  );
});

describe(comparableSteps.name, () => {
  it('adds the value of a complex attribute', () => {
    expect(comparableSteps([EXTENSION, MANAGER])).toEqual([EXTENSION, MANAGER, VALUE]);
  });

  it('keeps an attribute that is not complex', () => {
    expect(comparableSteps([TAGS])).toEqual([TAGS]);
  });

  it('gives nothing for a complex attribute without a value', () => {
    expect(comparableSteps([EXTENSION])).toBeUndefined();
  });
});

describe(referenceTo.name, () => {
  it('tells the path, the type of its end and whether a step is a list', () => {
    expect(referenceTo([EXTENSION, TAGS])).toEqual({ path: ['urn:x', 'tags'], type: 'string', multiValued: true });
  });
});
