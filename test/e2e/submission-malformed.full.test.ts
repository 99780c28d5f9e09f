import { describeMalformed } from './submission-malformed';

describeMalformed(20_000, 5_400_000);
