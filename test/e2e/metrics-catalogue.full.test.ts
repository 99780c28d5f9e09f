import { describeCatalogue } from './described-catalogue';

describeCatalogue('1.35');
