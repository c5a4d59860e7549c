import { describe, expect, it } from '@jest/globals';
import { dnsPattern, spiffePattern } from './name-pattern.js';

describe(spiffePattern.name, () => {
  const pattern = spiffePattern('spiffe://prod.example.com/*/ns/{namespace}/sa/{client}');

  it('takes the namespace and the client out of an id of its form', () => {
    expect(pattern.match('spiffe://prod.example.com/eu-1/ns/acme/sa/billing')).toEqual({
      namespace: 'acme',
      client: 'billing',
    });
  });

  it.each([
    'spiffe://prod.example.com.evil.com/eu-1/ns/acme/sa/billing',
    'spiffe://evil.com/prod.example.com/ns/acme/sa/billing',
    'spiffe://PROD.example.com/eu-1/ns/acme/sa/billing',
    'SPIFFE://prod.example.com/eu-1/ns/acme/sa/billing',
    'spiffe://user@prod.example.com/eu-1/ns/acme/sa/billing',
    'spiffe://prod.example.com:443/eu-1/ns/acme/sa/billing',
    'spiffe://prod.example.com/eu-1/ns/acme/sa/billing/',
    'spiffe://prod.example.com/eu-1/ns/acme/sa/billing/more',
    'spiffe://prod.example.com/eu-1/ns/acme/sa',
    'spiffe://prod.example.com//ns/acme/sa/billing',
    'spiffe://prod.example.com/../ns/acme/sa/billing',
    'spiffe://prod.example.com/eu-1/ns/../sa/billing',
    'spiffe://prod.example.com/eu-1/ns/%61cme/sa/billing',
    'spiffe://prod.example.com/eu-1/ns/acme/sa/billing?x',
    'spiffe://prod.example.com/eu-1/ns/acme/sa/billing#x',
    'spiffe://prod.example.com/eu-1/ns/acme/sa/bill\u0000ing',
    'spiffe://prod.example.com/eu-1/ns/аcme/sa/billing',
    'https://prod.example.com/eu-1/ns/acme/sa/billing',
    '',
    `spiffe://prod.example.com/eu-1/ns/${'a'.repeat(3000)}/sa/billing`,
  ])('knows nothing of %.80j', (name) => {
    expect(pattern.match(name)).toBeUndefined();
  });

  it.each([
    'https://prod.example.com/{namespace}',
    'spiffe:///{namespace}',
    'spiffe://{namespace}/ns/x',
    'spiffe://prod.example.com',
    'spiffe://prod.example.com/ns/acme',
    'spiffe://prod.example.com/ns/{namespace}/{namespace}',
    'spiffe://prod.example.com/ns/x{namespace}',
    'spiffe://prod.example.com/ns/{other}/{namespace}',
    'spiffe://prod.example.com/ns/**/{namespace}',
    'spiffe://*.example.com/{namespace}',
  ])('is not made of %j', (text) => {
    expect(() => spiffePattern(text)).toThrow(TypeError);
  });
});

describe(dnsPattern.name, () => {
  const pattern = dnsPattern('{client}.{namespace}.clients.example.com');

  it('takes the namespace and the client out of a name of its form, in whatever case', () => {
    expect(pattern.match('Billing.ACME.clients.example.com')).toEqual({ namespace: 'acme', client: 'billing' });
  });

  it.each([
    'acme.clients.example.com',
    'x.billing.acme.clients.example.com',
    'billing.acme.clients.example.com.',
    'billing.acme.clients.example.com.evil.com',
    'billing.acme.clients.evil.com',
    '*.acme.clients.example.com',
    'billing.*.clients.example.com',
    'billing..clients.example.com',
    'billing.acme_.clients.example.com',
    'billing.acme\u0000.clients.example.com',
    '',
  ])('knows nothing of %j', (name) => {
    expect(pattern.match(name)).toBeUndefined();
  });

  it.each(['{namespace}.com', 'clients.example.com', '{namespace}.{client}.com', 'a b.{namespace}.example.com', ''])(
    'is not made of %j',
    (text) => {
      expect(() => dnsPattern(text)).toThrow(TypeError);
    },
  );
});
