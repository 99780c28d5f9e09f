import { describeWholeMaster } from '../rehearsal/whole-control-plane-node';

describeWholeMaster('1.36');
