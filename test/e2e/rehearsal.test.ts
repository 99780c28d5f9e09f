import { describeSingleControlPlaneNode } from '../rehearsal/single-control-plane-node';

describeSingleControlPlaneNode('1.36');
