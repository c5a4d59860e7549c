import type { BindingKey, BindingQuery, NamespaceBinding } from '@palisade/domain';
import { parseResourceId } from '@palisade/domain';
import { compareValues } from '@palisade/scim';

/** By namespace, bound group and relation, by code point. */
export function compareBindings(a: BindingKey, b: BindingKey): number {
  return (
    compareValues(a.namespace, b.namespace) ||
    compareValues(a.boundSubject, b.boundSubject) ||
    compareValues(a.relation, b.relation)
  );
}

export function selectsBinding(query: BindingQuery, binding: NamespaceBinding): boolean {
  const { namespace, namespaces, provider, boundSubject, after } = query;
  return (
    (namespace === undefined || binding.namespace === namespace) &&
    (namespaces === undefined || namespaces.includes(binding.namespace)) &&
    (provider === undefined || parseResourceId(binding.boundSubject)?.providerId === provider) &&
    (boundSubject === undefined || binding.boundSubject === boundSubject) &&
    (after === undefined || compareBindings(binding, after) > 0)
  );
}
