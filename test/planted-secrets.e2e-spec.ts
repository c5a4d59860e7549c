import { describe, expect, it } from '@jest/globals';
import { PlantedSecrets } from './support/secrets/planted-secrets.js';

describe(PlantedSecrets.name, () => {
  const secrets = new PlantedSecrets();
  const secret = secrets.plant('test');

  it.each([
    ['as it is', secret],
    ['at the beginning, cut off', `${secret.slice(0, 12)}…`],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in hexadecimal with capital letters', Buffer.from(secret).toString('hex').toUpperCase()],
    ['percent-encoded throughout', Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
    ['in base64', btoa(secret)],
    ['in base64 behind one byte', btoa(`a${secret}`)],
    ['in base64 behind two bytes', btoa(`ab${secret}`)],
    ['in base64 behind a name, as in Basic', btoa(`admin:${secret}`)],
    ['in base64url', Buffer.from(`?>?>${secret}`).toString('base64url')],
  ])('are found %s', (_, text) => {
    expect(secrets.foundIn(`before ${text} behind`)).not.toEqual([]);
  });

  it('are not found where none is', () => {
    expect(secrets.foundIn(`${secret.slice(0, 11)} ${secret.slice(12)} ${btoa('another text')}`)).toEqual([]);
  });
});
