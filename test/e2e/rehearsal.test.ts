import { describeWholeMaster } from '../rehearsal/whole-master';

describeWholeMaster('1.36');
