import { describe, expect, it } from '@jest/globals';
import { KubernetesError } from './kubernetes.errors.js';
import { pathOf } from './kubernetes-api.js';

describe(pathOf.name, () => {
  it('leads to a collection, an object, or a part of one', () => {
    expect(pathOf('/api/v1', 'proxies', 'pods')).toBe('/api/v1/namespaces/proxies/pods');
    expect(pathOf('/apis/prism.io/v1alpha1', 'proxies', 'prismtenants', 'acme', 'status')).toBe(
      '/apis/prism.io/v1alpha1/namespaces/proxies/prismtenants/acme/status',
    );
  });

  it.each(['a/b', '../secrets', 'a?b=c', 'a#b', 'a b', 'a%2fb', 'a\r\nb', 'ä'])('keeps %j one name', (name) => {
    const url = new URL(`http://localhost${pathOf('/api/v1', 'ns', 'pods', name)}`);
    expect(decodeURIComponent(url.pathname.split('/')[6] ?? '')).toBe(name);
    expect(url.pathname.split('/')).toHaveLength(7);
  });

  it.each(['', '.', '..'])('rejects the name %j', (name) => {
    expect(() => pathOf('/api/v1', 'ns', 'pods', name)).toThrow(KubernetesError);
  });
});
