import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import { ProviderNotFoundError, StoreUnavailableError } from '@palisade/domain';
import { UnauthenticatedError } from '@palisade/guards';
import { toProblem } from './problem-details.js';

const NO_STATUSES = {};

describe(toProblem.name, () => {
  it('gives a domain error the status of its code', () => {
    expect(toProblem(new ProviderNotFoundError('acme'), { PROVIDER_NOT_FOUND: 404 }, 'r-1')).toEqual({
      body: {
        type: 'urn:palisade:problem:provider-not-found',
        title: 'Not Found',
        status: 404,
        code: 'PROVIDER_NOT_FOUND',
        detail: 'provider "acme" does not exist',
        request_id: 'r-1',
      },
      headers: {},
    });
  });

  it.each([
    ['an unknown error', new Error('secret detail')],
    ['a domain error without a status', new ProviderNotFoundError('secret detail')],
    ['an internal error that was thrown on purpose', new InternalServerErrorException('secret detail')],
    ['something that is no error', 'secret detail'],
  ])('tells nothing but the request id about %s', (_, error) => {
    expect(toProblem(error, NO_STATUSES, 'r-1').body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'INTERNAL_ERROR',
      request_id: 'r-1',
    });
  });

  it('says when to come back while the store is unavailable', () => {
    const { body, headers } = toProblem(new StoreUnavailableError(2), NO_STATUSES);
    expect([body.status, headers['Retry-After']]).toEqual([503, '2']);
  });

  it('challenges a caller who is not authenticated', () => {
    const { body, headers } = toProblem(new UnauthenticatedError('missing'), NO_STATUSES);
    expect([body.status, headers['WWW-Authenticate']]).toEqual([401, 'Bearer realm="palisade"']);
  });

  it('lists what a validation pipe found', () => {
    const error = new BadRequestException({ message: ['namespace: required', 'relation: unknown'] });
    expect(toProblem(error, NO_STATUSES).body).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: ['namespace: required', 'relation: unknown'],
    });
  });

  it('does not repeat the body that is not JSON', () => {
    const error = new BadRequestException('Unexpected token', { cause: new SyntaxError('Unexpected token') });
    expect(toProblem(error, NO_STATUSES).body).toMatchObject({
      code: 'INVALID_JSON',
      detail: 'the request body is not valid JSON',
    });
  });

  it.each([
    [new NotFoundException('no such route'), 404, 'NOT_FOUND'],
    [new PayloadTooLargeException('too large'), 413, 'PAYLOAD_TOO_LARGE'],
    [new HttpException('teapot', 418), 418, 'BAD_REQUEST'],
  ])('keeps the status of %s', (error, status, code) => {
    expect(toProblem(error, NO_STATUSES).body).toMatchObject({ type: 'about:blank', status, code });
  });
});
