import type { NextFunction, Request, Response } from 'express';

/** Nothing here is guessed to be of another type, or framed by another site. */
export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  next();
}
