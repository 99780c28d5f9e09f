import { describeMalformed } from './submission-malformed';

describeMalformed(2_000, 900_000);
