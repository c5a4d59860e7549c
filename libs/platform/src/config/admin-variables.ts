import { isJwksUri, parseAdminTokenDigests, type AdminJwtOptions, type AdminTokenDigest } from '@palisade/guards';
import type { Rule } from './load-variables.js';
import { unlessThrown } from '@palisade/domain';
import { text, url } from './variable-kinds.js';
import { variable, type Values, type Variables } from './variable.js';

/** Who may call `/api/v1`, beside the holder of `SVC_ADMIN_TOKEN`; `audience` is the variable that names this service. */
export const adminVariables = (audience: string) =>
  ({
    adminTokenDigests: variable<
      readonly AdminTokenDigest[],
      { description: string; default: string; computedDefault: string; quotable: false }
    >(
      'SVC_ADMIN_TOKEN_DIGESTS',
      {
        description:
          'Further static admin tokens: `name:sha256:scope` entries, comma-separated; the digest in hexadecimal, the scope `read`, `operate` or `admin`.',
        default: ',',
        computedDefault: 'none',
        // Who misreads it puts the token there.
        quotable: false,
      },
      'comma-separated entries `name:<64 hexadecimal digits>:<scope>`',
      (value) => unlessThrown(SyntaxError, () => parseAdminTokenDigests(value)),
    ),
    adminJwtIssuer: url('SVC_ADMIN_JWT_ISSUER', {
      description: 'Issuer (`iss`) whose JWTs authenticate admins.',
      schemes: ['https:', 'http:'],
    }),
    adminJwtAudience: text(audience, {
      description: 'Audience (`aud`) that such a JWT must name: this service, and no other.',
    }),
    adminJwtJwksUri: variable<string, { description: string }>(
      'SVC_ADMIN_JWT_JWKS_URI',
      { description: 'Where the keys of that issuer are.' },
      'an `https:` URL (`http:` on loopback)',
      (value) => (isJwksUri(value) ? value : undefined),
    ),
    adminJwtNamespacesClaim: text('SVC_ADMIN_JWT_NAMESPACES_CLAIM', {
      description: 'Claim with the namespaces that the bearer administers; `*` stands for all.',
      default: 'namespaces',
    }),
    adminJwtIdentityClaim: text('SVC_ADMIN_JWT_IDENTITY_CLAIM', {
      description: 'Claim that names the admin in the log and in `approved_by`; `sub` where a token lacks it.',
      default: 'email',
    }),
  }) satisfies Variables;

type AdminVariables = ReturnType<typeof adminVariables>;

/** Issuer, audience and keys are set together. */
export const wholeAdminJwt = (audience: string): Rule<AdminVariables> => ({
  needs: ['adminJwtIssuer', 'adminJwtAudience', 'adminJwtJwksUri'],
  check: ({ adminJwtIssuer, adminJwtAudience, adminJwtJwksUri }) => {
    const given = [adminJwtIssuer, adminJwtAudience, adminJwtJwksUri].filter((value) => value !== undefined).length;
    return given === 0 || given === 3
      ? undefined
      : `SVC_ADMIN_JWT_ISSUER: set ${audience} and SVC_ADMIN_JWT_JWKS_URI with it, or none of the three`;
  },
});

/** The issuer of admins' tokens; undefined when none is set. */
export function adminJwtOf(
  values: Values<AdminVariables> & { readonly adminJwtProvidersClaim?: string },
): AdminJwtOptions | undefined {
  const { adminJwtIssuer: issuer, adminJwtAudience: audience, adminJwtJwksUri: jwksUri } = values;
  if (issuer === undefined || audience === undefined || jwksUri === undefined) {
    return undefined;
  }
  const {
    adminJwtNamespacesClaim: namespacesClaim,
    adminJwtProvidersClaim: providersClaim,
    adminJwtIdentityClaim: identityClaim,
  } = values;
  return { issuer, audience, jwksUri, namespacesClaim, providersClaim, identityClaim };
}
