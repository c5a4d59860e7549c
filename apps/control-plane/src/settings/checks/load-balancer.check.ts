import type { Check } from './check.js';

/** The load balancer can be told to reload. */
export const checkLoadBalancer: Check = ({ load_balancer: section }, findings) => {
  if (section === undefined || !findings.isSound(['load_balancer', 'type'])) {
    return;
  }
  const { type, reload_command: command, master_socket: master, runtime_socket: runtime } = section;
  if (type !== 'haproxy') {
    for (const [name, value] of Object.entries({ master_socket: master, runtime_socket: runtime })) {
      if (value !== undefined) {
        findings.problem(['load_balancer', name], `expected nothing with ${type}: only haproxy has such a socket`);
      }
    }
  } else if (command === undefined && master === undefined && findings.isSound(['load_balancer'])) {
    findings.problem(
      ['load_balancer'],
      'expected master_socket or reload_command, as haproxy has to be told to reload',
    );
  }
};
