import { describeEtcdContents } from './etcd-contents';

describeEtcdContents({ etcd: '3.6', objects: 400, hogBytes: 40_000, statusBytes: 10_000, variants: 100 });
