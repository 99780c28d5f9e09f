import { describeValidationParity } from './validation-parity';

describeValidationParity(300, 20_261_121);
