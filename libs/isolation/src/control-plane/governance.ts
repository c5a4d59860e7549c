import { Logger } from '@nestjs/common';
import type { Clock } from '@palisade/async';
import type { IsolationPolicy } from '../policy/isolation-policy.js';
import { AccessDecisions, type AccessHolder } from './access-decisions.js';
import type { ControlPlaneOptions } from '../isolation-options.js';
import type { ControlPlaneClient } from './control-plane-client.js';
import { GovernedProxy, type GovernedProxyOptions } from './governed-proxy.js';

export interface GovernanceParts {
  readonly options: ControlPlaneOptions;
  readonly client: ControlPlaneClient;
  readonly policy: IsolationPolicy;
  readonly access: AccessDecisions | undefined;
  /** What ends with the access of whom it is for, in the order in which it has to end. */
  readonly holders: readonly AccessHolder[];
  readonly caps: GovernedProxyOptions['caps'];
  readonly usage: GovernedProxyOptions['usage'];
  readonly clock: Clock;
}

const logger = new Logger(GovernedProxy.name);

export function createAccessDecisions(
  { proxy, decidesAccess = false, accessLeaseMs }: ControlPlaneOptions,
  client: ControlPlaneClient,
  clock: Clock,
): AccessDecisions | undefined {
  if (!decidesAccess) {
    return undefined;
  }
  return new AccessDecisions({
    ask: (questions) => client.askAccess(proxy.id, questions),
    leaseMs: accessLeaseMs,
    clock,
    onCutOff: (seconds) => {
      if (seconds === undefined) {
        logger.log('the control plane confirms access again: users are served');
      } else {
        logger.error(`the control plane has confirmed nothing for ${Math.round(seconds)} s: no users are served`);
      }
    },
  });
}

export function createGovernedProxy({
  options: { proxy, copyFile, version },
  client,
  policy,
  access,
  holders,
  ...parts
}: GovernanceParts): GovernedProxy {
  holders.forEach((holder) => access?.addHolder(holder));
  return new GovernedProxy({ client, identity: proxy, policy, access, copyFile, version, logger, ...parts });
}
