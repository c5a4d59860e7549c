import { describe, expect, it } from '@jest/globals';
import {
  AuthenticationError,
  MultipleErrors,
  NetworkError,
  ProtocolError,
  TimeoutError,
  UserError,
} from '@platformatic/kafka';
import { isRejectedLogin, toKafkaFailure } from './kafka.errors.js';

const within = (...errors: Error[]) => new MultipleErrors('produce failed 6 times.', errors);

describe(toKafkaFailure.name, () => {
  it.each([
    ['a rejection', new ProtocolError('TOPIC_AUTHORIZATION_FAILED'), 'TOPIC_AUTHORIZATION_FAILED', false],
    ['a rejection for now', new ProtocolError('NOT_ENOUGH_REPLICAS'), 'NOT_ENOUGH_REPLICAS', true],
    ['a topic that is not there', new UserError('Unknown topic acme.x.'), 'UNKNOWN_TOPIC_OR_PARTITION', false],
  ])('tells of %s', (_, error, reason, isTransient) => {
    expect(toKafkaFailure(within(error), 'producing')).toMatchObject({
      code: 'KAFKA_REJECTED',
      message: `kafka: producing was rejected: ${reason}`,
      isTransient,
    });
  });

  it.each([
    ['the connection ends', new NetworkError('Connection closed')],
    ['no answer comes', new TimeoutError('Request timed out')],
  ])('tells that the connection is lost when %s', (_, error) => {
    expect(toKafkaFailure(within(within(error)), 'producing')).toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('prefers what a broker has said to what has happened to connections', () => {
    const error = within(new NetworkError('Connection closed'), new ProtocolError('MESSAGE_TOO_LARGE'));
    expect(toKafkaFailure(error, 'producing')).toMatchObject({ reason: 'MESSAGE_TOO_LARGE' });
  });

  it('leaves other errors as they are', () => {
    const error = new Error('other');
    expect(toKafkaFailure(error, 'producing')).toBe(error);
    expect(toKafkaFailure('text', 'producing')).toBe('text');
  });

  it('ends with errors that hold each other', () => {
    const error = new Error('outer');
    error.cause = new Error('inner', { cause: error });
    expect(toKafkaFailure(error, 'producing')).toBe(error);
  });
});

describe(isRejectedLogin.name, () => {
  const alert = (code: string) => new NetworkError('Connection error', { cause: Object.assign(new Error(), { code }) });

  it.each([
    ['a password', new AuthenticationError('SASL authentication failed.'), true],
    ['a bad certificate', alert('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'), true],
    ['no certificate', alert('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), true],
    ['an unknown authority', alert('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), true],
    ['another protocol', alert('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), false],
    ['a server that we do not trust', alert('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), false],
    ['a lost connection', new NetworkError('Connection closed'), false],
  ])('tells whether it is about who logs in: %s', (_, error, expected) => {
    expect(isRejectedLogin(within(error))).toBe(expected);
  });
});
