import { describe, expect, it } from '@jest/globals';
import { isJwksUri } from './jwks-uri.js';

describe(isJwksUri.name, () => {
  it.each([
    'https://idp.example.com/.well-known/jwks.json',
    'https://idp.example.com:8443/keys?tenant=1',
    'http://localhost:8080/keys',
    'http://127.0.0.1/keys',
    'http://[::1]:1234/keys',
  ])('accepts %s', (text) => {
    expect(isJwksUri(text)).toBe(true);
  });

  it.each([
    'http://idp.example.com/keys',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/keys',
    'http://127.0.0.1.example.com/keys',
    'http://localhost.example.com/keys',
    'http://2130706433.example/keys',
    'https://user:secret@idp.example.com/keys',
    'https://idp.example.com/keys#fragment',
    'file:///etc/passwd',
    'data:application/json,{"keys":[]}',
    'ftp://idp.example.com/keys',
    'javascript:alert(1)',
    '/keys',
    '',
    `https://idp.example.com/${'a'.repeat(2048)}`,
  ])('refuses %s', (text) => {
    expect(isJwksUri(text)).toBe(false);
  });
});
