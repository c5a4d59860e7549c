import { urlencoded, type NextFunction, type Request, type Response } from 'express';

const MAX_FORM_BYTES = 8192;

const parseForm = urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: 20 });

/** Leaves the form of a token request in `body`, or null when the body is none of at most 8 KiB and 20 parameters. */
export function readForm(request: Request, response: Response, next: NextFunction): void {
  parseForm(request, response, () => {
    const body: unknown = request.body;
    request.body = typeof body === 'object' && body !== null ? body : null;
    next();
  });
}
