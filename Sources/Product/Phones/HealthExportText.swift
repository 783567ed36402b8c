/// The fixed parts of an export, after the form of version 14.
enum HealthExportText {
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ELEMENT ExportDate EMPTY>
    <!ATTLIST ExportDate
      value CDATA #REQUIRED
    >
    <!ELEMENT Me EMPTY>
    <!ATTLIST Me
      HKCharacteristicTypeIdentifierDateOfBirth                   CDATA #REQUIRED
      HKCharacteristicTypeIdentifierBiologicalSex                 CDATA #REQUIRED
      HKCharacteristicTypeIdentifierBloodType                     CDATA #REQUIRED
      HKCharacteristicTypeIdentifierFitzpatrickSkinType           CDATA #REQUIRED
      HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse   CDATA #REQUIRED
    >
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    <!ATTLIST Record
      type          CDATA #REQUIRED
      unit          CDATA #IMPLIED
      value         CDATA #IMPLIED
      sourceName    CDATA #REQUIRED
      sourceVersion CDATA #IMPLIED
      device        CDATA #IMPLIED
      creationDate  CDATA #IMPLIED
      startDate     CDATA #REQUIRED
      endDate       CDATA #REQUIRED
    >
    <!ELEMENT MetadataEntry EMPTY>
    <!ATTLIST MetadataEntry
      key   CDATA #REQUIRED
      value CDATA #REQUIRED
    >
    <!ELEMENT ActivitySummary EMPTY>
    <!ATTLIST ActivitySummary
      dateComponents           CDATA #IMPLIED
      activeEnergyBurned       CDATA #IMPLIED
      activeEnergyBurnedGoal   CDATA #IMPLIED
      activeEnergyBurnedUnit   CDATA #IMPLIED
      appleMoveTime            CDATA #IMPLIED
      appleMoveTimeGoal        CDATA #IMPLIED
      appleExerciseTime        CDATA #IMPLIED
      appleExerciseTimeGoal    CDATA #IMPLIED
      appleStandHours          CDATA #IMPLIED
      appleStandHoursGoal      CDATA #IMPLIED
    >
    ]>

    """

  static let me = """
     <Me HKCharacteristicTypeIdentifierDateOfBirth="" \
    HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" \
    HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
    HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
    HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

    """

  /// The clinical document that lies beside the data, here without content.
  static let document = """
    <?xml version="1.0"?>
    <ClinicalDocument xmlns="urn:hl7-org:v3">
     <title>Health Data Export</title>
    </ClinicalDocument>

    """
}
