import { formatQuantity } from '../../api';
import { dateOf } from '../../capacity';
import { type ProjectClientsView } from '../../contract';
import { type ClientTrend, summarizeClients } from '../../history';
import { forecastQuota, levelOf } from '../../quota';
import { type DeploymentTarget } from '../targets/deployment-target';

/** Maximum clients of a project in a view. */
const maxClients = 10;

/** Returns the clients of a project in the week that ends with a day, counted from 1970. */
export function projectClientsView(target: DeploymentTarget, project: string, today: number): ProjectClientsView {
  const { days, usage } = target.clients(project);
  const { total, clients, violations } = summarizeClients(project, days, today);
  const { team, onCall } = target.project(project)?.spec ?? {};
  const budget = Object.entries(target.apiBudget(project)).flatMap(([field, limit]) => {
    const outlook = forecastQuota(usage, field, limit, today);
    if (!outlook.isMeasured) return [];
    const fullOn = outlook.full?.expected === undefined ? undefined : dateOf(outlook.full.expected);
    return {
      field,
      limit: formatQuantity(limit),
      used: formatQuantity(outlook.used),
      level: levelOf(outlook),
      ...(fullOn !== undefined && { fullOn }),
    };
  });
  return {
    project,
    target: target.name,
    ...(team !== undefined && { team }),
    ...(onCall !== undefined && { onCall }),
    total: trendView(total),
    clients: clients.slice(0, maxClients).map(({ account, userAgent, mostly, ...trend }) => ({
      account,
      program: userAgent,
      mostly,
      ...trendView(trend),
    })),
    violations: violations.map(({ practice, account, userAgent, message }) => ({
      practice,
      account,
      program: userAgent,
      message,
    })),
    budget,
  };
}

const trendView = ({ requests, errors, bytes, seatSeconds, requestGrowth, costGrowth }: ClientTrend) => ({
  requests,
  errors,
  bytes,
  seatSeconds,
  ...(requestGrowth !== undefined && { requestGrowth }),
  ...(costGrowth !== undefined && { costGrowth }),
});
