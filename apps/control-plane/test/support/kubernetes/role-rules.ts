import { readManifests } from './manifests.js';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Access {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly name?: string;
}

const rules = readManifests('rbac.yaml').flatMap((manifest) => (manifest['rules'] ?? []) as readonly Rule[]);

/** Whether the role of the control plane allows it. */
export function isAllowed({ verb, apiGroup, resource, name }: Access): boolean {
  return rules.some(
    ({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.includes(apiGroup) &&
      resources.includes(resource) &&
      verbs.includes(verb) &&
      (resourceNames === undefined || (name !== undefined && resourceNames.includes(name))),
  );
}
