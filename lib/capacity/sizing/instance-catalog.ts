/**
 * EC2 instance types that a plan chooses from, without bare metal; from DescribeInstanceTypes and DescribeInstanceTypeOfferings.
 *
 * Columns: size, vCPUs, GiB of memory, accelerators, sustained EBS IOPS, sustained EBS MB/s.
 */
export const instanceFamilies: Readonly<Record<string, string>> = {
  c5: `
    large 2 4 0 4000 81.25
    xlarge 4 8 0 6000 143.75
    2xlarge 8 16 0 10000 287.5
    4xlarge 16 32 0 20000 593.75
    9xlarge 36 72 0 40000 1187.5
    12xlarge 48 96 0 40000 1187.5
    18xlarge 72 144 0 80000 2375
    24xlarge 96 192 0 80000 2375`,
  m5: `
    large 2 8 0 3600 81.25
    xlarge 4 16 0 6000 143.75
    2xlarge 8 32 0 12000 287.5
    4xlarge 16 64 0 18750 593.75
    8xlarge 32 128 0 30000 850
    12xlarge 48 192 0 40000 1187.5
    16xlarge 64 256 0 60000 1700
    24xlarge 96 384 0 80000 2375`,
  r5: `
    large 2 16 0 3600 81.25
    xlarge 4 32 0 6000 143.75
    2xlarge 8 64 0 12000 287.5
    4xlarge 16 128 0 18750 593.75
    8xlarge 32 256 0 30000 850
    12xlarge 48 384 0 40000 1187.5
    16xlarge 64 512 0 60000 1700
    24xlarge 96 768 0 80000 2375`,
  c6i: `
    large 2 4 0 3600 81.25
    xlarge 4 8 0 6000 156.25
    2xlarge 8 16 0 12000 312.5
    4xlarge 16 32 0 20000 625
    8xlarge 32 64 0 40000 1250
    12xlarge 48 96 0 60000 1875
    16xlarge 64 128 0 80000 2500
    24xlarge 96 192 0 120000 3750
    32xlarge 128 256 0 160000 5000`,
  m6i: `
    large 2 8 0 3600 81.25
    xlarge 4 16 0 6000 156.25
    2xlarge 8 32 0 12000 312.5
    4xlarge 16 64 0 20000 625
    8xlarge 32 128 0 40000 1250
    12xlarge 48 192 0 60000 1875
    16xlarge 64 256 0 80000 2500
    24xlarge 96 384 0 120000 3750
    32xlarge 128 512 0 160000 5000`,
  r6i: `
    large 2 16 0 3600 81.25
    xlarge 4 32 0 6000 156.25
    2xlarge 8 64 0 12000 312.5
    4xlarge 16 128 0 20000 625
    8xlarge 32 256 0 40000 1250
    12xlarge 48 384 0 60000 1875
    16xlarge 64 512 0 80000 2500
    24xlarge 96 768 0 120000 3750
    32xlarge 128 1024 0 160000 5000`,
  c7i: `
    large 2 4 0 3600 81.25
    xlarge 4 8 0 6000 156.25
    2xlarge 8 16 0 12000 312.5
    4xlarge 16 32 0 20000 625
    8xlarge 32 64 0 40000 1250
    12xlarge 48 96 0 60000 1875
    16xlarge 64 128 0 80000 2500
    24xlarge 96 192 0 120000 3750
    48xlarge 192 384 0 240000 5000`,
  m7i: `
    large 2 8 0 3600 81.25
    xlarge 4 16 0 6000 156.25
    2xlarge 8 32 0 12000 312.5
    4xlarge 16 64 0 20000 625
    8xlarge 32 128 0 40000 1250
    12xlarge 48 192 0 60000 1875
    16xlarge 64 256 0 80000 2500
    24xlarge 96 384 0 120000 3750
    48xlarge 192 768 0 240000 5000`,
  r7i: `
    large 2 16 0 3600 81.25
    xlarge 4 32 0 6000 156.25
    2xlarge 8 64 0 12000 312.5
    4xlarge 16 128 0 20000 625
    8xlarge 32 256 0 40000 1250
    12xlarge 48 384 0 60000 1875
    16xlarge 64 512 0 80000 2500
    24xlarge 96 768 0 120000 3750
    48xlarge 192 1536 0 240000 5000`,
  x2idn: `
    16xlarge 64 1024 0 173333 5000
    24xlarge 96 1536 0 260000 7500
    32xlarge 128 2048 0 260000 10000`,
  g4dn: `
    xlarge 4 16 1 3000 118.75
    2xlarge 8 32 1 6000 143.75
    4xlarge 16 64 1 20000 593.75
    8xlarge 32 128 1 40000 1187.5
    12xlarge 48 192 4 40000 1187.5
    16xlarge 64 256 1 40000 1187.5`,
  g5: `
    xlarge 4 16 1 3000 87.5
    2xlarge 8 32 1 3500 106.25
    4xlarge 16 64 1 20000 593.75
    8xlarge 32 128 1 65000 2000
    12xlarge 48 192 4 65000 2000
    16xlarge 64 256 1 65000 2000
    24xlarge 96 384 4 80000 2375
    48xlarge 192 768 8 80000 2375`,
  p4d: `
    24xlarge 96 1152 8 80000 2375`,
  p5: `
    4xlarge 16 256 1 32500 1250
    48xlarge 192 2048 8 260000 10000`,
  m6g: `
    large 2 8 0 3600 78.75
    xlarge 4 16 0 6000 148.5
    2xlarge 8 32 0 12000 296.875
    4xlarge 16 64 0 20000 593.75
    8xlarge 32 128 0 40000 1187.5
    12xlarge 48 192 0 50000 1781.25
    16xlarge 64 256 0 80000 2375`,
  c6g: `
    large 2 4 0 3600 78.75
    xlarge 4 8 0 6000 148.5
    2xlarge 8 16 0 12000 296.875
    4xlarge 16 32 0 20000 593.75
    8xlarge 32 64 0 40000 1187.5
    12xlarge 48 96 0 50000 1781.25
    16xlarge 64 128 0 80000 2375`,
  r6g: `
    large 2 16 0 3600 78.75
    xlarge 4 32 0 6000 148.5
    2xlarge 8 64 0 12000 296.875
    4xlarge 16 128 0 20000 593.75
    8xlarge 32 256 0 40000 1187.5
    12xlarge 48 384 0 50000 1781.25
    16xlarge 64 512 0 80000 2375`,
  m7g: `
    large 2 8 0 3600 78.75
    xlarge 4 16 0 6000 156.25
    2xlarge 8 32 0 12000 312.5
    4xlarge 16 64 0 20000 625
    8xlarge 32 128 0 40000 1250
    12xlarge 48 192 0 60000 1875
    16xlarge 64 256 0 80000 2500`,
  c7g: `
    large 2 4 0 3600 78.75
    xlarge 4 8 0 6000 156.25
    2xlarge 8 16 0 12000 312.5
    4xlarge 16 32 0 20000 625
    8xlarge 32 64 0 40000 1250
    12xlarge 48 96 0 60000 1875
    16xlarge 64 128 0 80000 2500`,
  r7g: `
    large 2 16 0 3600 78.75
    xlarge 4 32 0 6000 156.25
    2xlarge 8 64 0 12000 312.5
    4xlarge 16 128 0 20000 625
    8xlarge 32 256 0 40000 1250
    12xlarge 48 384 0 60000 1875
    16xlarge 64 512 0 80000 2500`,
  g5g: `
    xlarge 4 8 1 6000 148.5
    2xlarge 8 16 1 12000 296.875
    4xlarge 16 32 1 20000 593.75
    8xlarge 32 64 1 40000 1187.5
    16xlarge 64 128 2 80000 2375`,
};

/** Families with arm64 processors; the others have amd64. */
export const arm64Families: readonly string[] = ['m6g', 'c6g', 'r6g', 'm7g', 'c7g', 'r7g', 'g5g'];

/** Families that a region offers in every size above. */
export const regionFamilies: Readonly<Record<string, string>> = {
  'af-south-1': 'c5 m5 r5 c6i m6i r6i c7i m7i x2idn g4dn m6g c6g r6g m7g c7g r7g',
  'ap-east-1': 'c5 m5 r5 c6i m6i r6i c7i m7i g4dn g5 m6g c6g r6g m7g c7g r7g',
  'ap-northeast-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g g5g',
  'ap-northeast-2': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d m6g c6g r6g m7g c7g r7g g5g',
  'ap-northeast-3': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn m6g c6g r6g m7g c7g r7g',
  'ap-south-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g',
  'ap-south-2': 'c5 m5 r5 c6i m6i r6i c7i r7i x2idn m6g c6g r6g m7g c7g r7g',
  'ap-southeast-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn m6g c6g r6g m7g c7g r7g g5g',
  'ap-southeast-2': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g',
  'ap-southeast-3': 'c5 m5 r5 m6i c7i m7i r7i x2idn g5 p5 m6g c6g r6g m7g c7g r7g',
  'ap-southeast-4': 'c5 m5 r5 c7i m7i r7i x2idn m6g c6g r6g m7g r7g',
  'ap-southeast-5': 'c6i m6i r6i c7i m7i r7i x2idn m6g c6g r6g m7g c7g r7g',
  'ca-central-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d m6g c6g r6g m7g c7g r7g',
  'ca-west-1': 'c5 m5 r5 c6i m6i r6i m6g c6g r6g c7g r7g',
  'eu-central-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d m6g c6g r6g m7g c7g r7g g5g',
  'eu-central-2': 'c5 m5 r5 m6i r6i c7i m7i x2idn m6g c6g r6g m7g c7g r7g',
  'eu-north-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d m6g c6g r6g m7g c7g r7g',
  'eu-south-1': 'c5 m5 r5 c6i m6i r6i m7i r7i x2idn g4dn m6g c6g r6g c7g r7g',
  'eu-south-2': 'c5 m5 r5 c7i m7i r7i x2idn m6g c6g r6g m7g c7g r7g g5g',
  'eu-west-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d m6g c6g r6g m7g c7g r7g',
  'eu-west-2': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g',
  'eu-west-3': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn m6g c6g r6g m7g c7g r7g',
  'il-central-1': 'c5 m5 r5 c6i m6i r6i m7i x2idn g5 m6g c6g r6g m7g c7g r7g',
  'me-central-1': 'c5 m5 r5 m6i r6i c7i m7i x2idn g5 m6g c6g r6g m7g r7g',
  'me-south-1': 'c5 m5 r5 c6i m6i r6i x2idn g4dn m6g c6g r6g m7g c7g r7g',
  'sa-east-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g',
  'us-east-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g g5g',
  'us-east-2': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g',
  'us-west-1': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn m6g c6g r6g m7g c7g r7g',
  'us-west-2': 'c5 m5 r5 c6i m6i r6i c7i m7i r7i x2idn g4dn g5 p4d p5 m6g c6g r6g m7g c7g r7g g5g',
};
