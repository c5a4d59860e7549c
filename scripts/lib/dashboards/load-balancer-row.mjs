import { row } from './dashboard.mjs';
import { of, quantile, requests, sumRate, told } from './expressions.mjs';
import { timeSeries } from './panels.mjs';

const RELOAD = 'route="/api/v1/loadbalancer/reload"';

const CHANGED_AT = 'control_plane_load_balancer_change_timestamp_seconds';

const RESULT_COLORS = {
  applied: 'green',
  unchanged: 'gray',
  rejected: 'orange',
  rolled_back: 'red',
  failed: 'dark-red',
};

function increaseOf(part, label) {
  return `sum by (${label}) (increase(${of(`control_plane_load_balancer_${part}`)}[10m]))`;
}

/** How the load balancer follows, and what is done to it. */
export const LOAD_BALANCER = row('Load balancer', [
  timeSeries('Last change', {
    description:
      'Time since the last attempt to change the load balancer, by method (maps and servers at runtime, reload) and result. rejected, rolled_back, failed: it keeps the previous configuration; GET /api/v1/loadbalancer/versions has the reason.',
    queries: [[`time() - ${told(CHANGED_AT, 'method, result')}`, '{{method}} {{result}}']],
    unit: 's',
  }),
  timeSeries('Duration of the last change', {
    description: 'From the start until the configuration is rendered, checked, installed and verified.',
    queries: [[told('control_plane_load_balancer_change_duration_seconds', 'method, result'), '{{method}} {{result}}']],
    unit: 's',
  }),
  timeSeries('Time since it followed', {
    description:
      'Time since the load balancer was last known to be up to date. It also grows while nothing changes: while changes fail, it is the maximum age of the active configuration.',
    queries: [[`time() - max(${of('control_plane_load_balancer_success_timestamp_seconds')})`, 'followed']],
    unit: 's',
  }),
  timeSeries('Changes by method', {
    description:
      'Within ten minutes. maps and servers are changed at runtime; reload starts new processes, and open connections stay with the old ones. If there are changes all the time, something alternates.',
    queries: [[increaseOf('changes_total', 'method'), '{{method}}']],
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Changes by result', {
    description:
      'Within ten minutes. rejected: its own check rejects the configuration. rolled_back: it did not load it. failed: it is unreachable.',
    queries: [[increaseOf('changes_total', 'result'), '{{result}}']],
    colors: RESULT_COLORS,
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Drift', {
    description:
      'Changes by somebody else within ten minutes; they are repaired immediately. If they return, somebody edits the files, or another program manages this load balancer.',
    queries: [[increaseOf('drifts_total', 'kind'), '{{kind}}']],
    isStacked: true,
    unit: 'none',
  }),
  timeSeries('Reloads that were asked for', {
    description: 'By POST /api/v1/loadbalancer/reload. 503: no replica leads, or the leader did not do it in time.',
    queries: [[sumRate(requests('count', RELOAD), 'status'), '{{status}}']],
    unit: 'reqps',
    width: 12,
  }),
  timeSeries('Duration of reloads that were asked for', {
    description: 'From the request until the load balancer runs the new configuration.',
    queries: [0.5, 0.99].map((share) => [quantile(share, requests('bucket', RELOAD)), `p${share * 100}`]),
    unit: 's',
    width: 12,
  }),
]);
