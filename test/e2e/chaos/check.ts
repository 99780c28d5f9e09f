import { objectsVerdict } from './objects-verdict';
import { type Sight } from './sight';
import { storiesVerdict } from './stories-verdict';
import { type User } from './user';

/** What is wrong with what the user's workloads became. */
export const check = (sight: Sight, user: User): string[] => [...storiesVerdict(sight, user), ...objectsVerdict(sight)];
