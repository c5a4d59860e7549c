import { JsonBodyInterceptor } from '@palisade/platform';
import { MAX_BODY_BYTES } from './raw-body.interceptor.js';

/** For the routes whose bodies are JSON. */
export const jsonBody = new JsonBodyInterceptor({ mediaTypes: ['application/json'], maxBytes: MAX_BODY_BYTES });
