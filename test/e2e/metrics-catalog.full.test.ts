import { describeMetricsCatalog } from './metrics-catalog';

describeMetricsCatalog('1.35');
