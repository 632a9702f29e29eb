{
  "statement": "{\"categories\":60,\"curator\":\"Three Good Sources\",\"demonstration\":true,\"digest\":\"sha256:671ed22ab80f91e617284370722fc6c47a240dfdefd41b1604e200795b7ce6b3\",\"expires_at\":\"2036-11-19T23:21:00Z\",\"kind\":\"three-good-sources/registry\",\"root\":\"sha256:3d174badb791e45a6996fe0f556c7fd486fecf1df89f12d1885671235bf0282a\",\"signed_at\":\"2026-11-22T23:21:00Z\",\"version\":\"1.0.0\"}",
  "key": "ed25519:a31f27aad48bfeb9b58857123808ac0fc17ef8570c396ea5268fd4a4d540a68f",
  "signature": "+Xfty6ivzEycTAm2Q48a0Iae8pyoBzuawYSuV5TdrBGlP6bfMCz+jIEdVjCbx5V9bBiseoULsUsP2H2wo+HnAQ=="
}
