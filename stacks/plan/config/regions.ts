/** Zone letters by region. */
const zonesOf: Readonly<Record<string, string>> = {
  'af-south-1': 'abc',
  'ap-east-1': 'abc',
  'ap-east-2': 'abc',
  'ap-northeast-1': 'abcd',
  'ap-northeast-2': 'abcd',
  'ap-northeast-3': 'abc',
  'ap-south-1': 'abc',
  'ap-south-2': 'abc',
  'ap-southeast-1': 'abc',
  'ap-southeast-2': 'abc',
  'ap-southeast-3': 'abc',
  'ap-southeast-4': 'abc',
  'ap-southeast-5': 'abc',
  'ap-southeast-6': 'abc',
  'ap-southeast-7': 'abc',
  'ca-central-1': 'abd',
  'ca-west-1': 'abc',
  'eu-central-1': 'abc',
  'eu-central-2': 'abc',
  'eu-north-1': 'abc',
  'eu-south-1': 'abc',
  'eu-south-2': 'abc',
  'eu-west-1': 'abc',
  'eu-west-2': 'abc',
  'eu-west-3': 'abc',
  'il-central-1': 'abc',
  'me-central-1': 'abc',
  'me-south-1': 'abc',
  'mx-central-1': 'abc',
  'sa-east-1': 'abc',
  'us-east-1': 'abcdef',
  'us-east-2': 'abc',
  'us-gov-east-1': 'abc',
  'us-gov-west-1': 'abc',
  'us-west-1': 'abc',
  'us-west-2': 'abcd',
};

/** Known regions. */
export const regions: readonly string[] = Object.keys(zonesOf);

/** Returns the zones of a region; some accounts see fewer. */
export const zonesIn = (region: string): readonly string[] =>
  [...(zonesOf[region] ?? '')].map((letter) => `${region}${letter}`);

/** Regions with only two zones per account. */
export const narrowRegions: readonly string[] = ['us-west-1'];

/** Returns the AWS partition of a region. */
export const partitionOf = (region: string): 'aws' | 'aws-us-gov' =>
  region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
