import { describe, expect, it } from '@jest/globals';
import { generatePassword } from '../../passwords.js';
import { scramVerifier } from './scram-verifier.js';

describe(scramVerifier.name, () => {
  it('is what PostgreSQL makes of the same password and salt', () => {
    // Taken from pg_authid of a PostgreSQL 18 server.
    expect(scramVerifier('correct horse battery', Buffer.from('TfdxOv4h1M42JRHl08EI2Q==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:TfdxOv4h1M42JRHl08EI2Q==$3PTspPaAzPoRppxsbKetNuEIbsbcwT5JALHJgyFcooI=:HpgYs6ZoZ8MZTPhbZ+KMCMefWjdk24xRyFG3bcXpf/g=',
    );
  });

  it('is another one each time', () => {
    expect(scramVerifier('correct horse battery')).not.toBe(scramVerifier('correct horse battery'));
  });

  it.each(['fifteen letters', 'sixteen letters ä', 'x'.repeat(1025), 'with a\nline break'])(
    'rejects %j',
    (password) => {
      expect(() => scramVerifier(password)).toThrow('16 to 1024 printable ASCII characters');
    },
  );
});

describe(generatePassword.name, () => {
  it('makes passwords that are accepted, each of them once', () => {
    const passwords = Array.from({ length: 100 }, generatePassword);
    expect(new Set(passwords).size).toBe(100);
    expect(passwords.every((password) => scramVerifier(password).startsWith('SCRAM-SHA-256$'))).toBe(true);
  });
});
