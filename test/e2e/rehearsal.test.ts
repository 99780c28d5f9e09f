import { describeSingleControlPlaneNode } from '../rehearsal/whole-control-plane-node';

describeSingleControlPlaneNode('1.36');
