import { describeEtcdContents } from './etcd-contents';

describeEtcdContents({ etcd: '3.5', objects: 400, hogBytes: 40_000, statusBytes: 10_000, variants: 1000 });
describeEtcdContents({ etcd: '3.6', objects: 100_000, hogBytes: 800_000, statusBytes: 100_000, variants: 20 });
