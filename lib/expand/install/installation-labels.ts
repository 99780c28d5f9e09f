import { manager, recommended } from '../../api';

/** Labels of all objects of an installation. */
export const installationLabels = { [recommended.managedBy]: manager, [recommended.partOf]: manager };
