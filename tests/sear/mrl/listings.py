"""The programs of appendix A of the SEAR dissertation ("SEAR user interactions"), as the tests run them.

Comments are left out. Changed are imports, print statements (to Python 3), and in listing 9 what is broken in print: a
copy of listing 1 stands inside a function, and a line about ``messageLength`` is garbled. Its index ``i/2`` is
``i//2`` in Python 3. In listing 10 lines that lost their indentation have it again.
"""

LISTING_1 = """
from understudy.sear import Cylinder
from understudy.sear import Box
from understudy.sear import Cone
from understudy.sear import Floor, Model

floor = Floor("floor", 50, 50)

box = Box("Box1_name", 0.25, 0.25, 0.25, 0)
box.move(-1.5, 1.25, 0)
box.rotate(45, 0, 0)

cyl = Cylinder("trash Can", 0.25, 0.75, 10)
cyl.move(-3, 0, -3.5)
cyl.rotate(0, 30, 30)

coneA = Cone("Traffic Cone", 0.25, 2, 10)
coneA.move(-2, 0, 0)
coneA.rotate(0, 0, 45)

tree = Model("Tree1_name","models/Tree/Tree.mesh.xml")
tree.move(0, 0, -3)

print("Done creating Environment")
"""

LISTING_2 = """
from understudy.sear import Cylinder
from understudy.sear import Box
from understudy.sear import Cone
from understudy.sear import Wheel
from understudy.sear import SEARrobot
from understudy.sear import Gyroscope
from understudy.sear import Accelerometer
from understudy.sear import GPS
from understudy.sear import Compass
from understudy.sear import Odometer
from understudy.sear import Distance
from understudy.sear import LIDAR
from understudy.sear import Dynamics

robot = SEARrobot("myRoomba");

dyna = Dynamics("robotDynamics1", 400, 60, 0.3, 0.4, 10000, 0.1, 0, 0.1, 0, 0, 0, 180)
dyna.setPorts("/dev/my_Robot01", "/dev/SEAR_Robot_01")
robot.addComponent(dyna)

body = Cylinder("Roomba Body",  0.1666875, 0.0762, 400, "./textures/roomba.jpg")
robot.addComponent(body)

cyl1 = Wheel("frontWheel", 0.0381, 0.03, 0)
cyl1.move(0, 0, 0.16)
robot.addWheel( cyl1);

cyl2 = Wheel("rightWheel", 0.0381, 0.03, 1)
cyl2.move(-0.16, 0, 0)
robot.addWheel( cyl2)

cyl3 = Wheel("leftWheel", 0.0381, 0.03, 1)
cyl3.move(0.16, 0, 0)
robot.addWheel( cyl3)

cyl4 = Wheel("backWheel", 0.0381, 0.03, 0)
cyl4.move(0, 0, -0.16)
robot.addWheel( cyl4);
"""

LISTING_3 = """
from time import sleep
from understudy.sear.mrl import Roomba, Runtime

sear = Runtime.createAndStart("SEAR","SEAR")
sear.startSimulation();

roomba = Runtime.create("robot_Dynamics1","Roomba")
roomba.connect( "/dev/SEAR_Robot_01" )
roomba.startService()
roomba.startup()
roomba.control()
roomba.goForward()
roomba.sleep( 1000 )
roomba.goBackward()
"""

LISTING_4 = """
from understudy.sear import LIDAR

lidar1 = LIDAR ("myLidar")
lidar1.setRange(8.191)
lidar1.setSpread(180)
lidar1.setResolution(1.0)

lidar1.setPorts("/dev/my_Lidar01", "/dev/SEAR_LIDAR_01")
lidar1.setBaud(9600)
lidar1.move(0,0.15,0.2)
lidar1.LMS(1)
robot.addComponent(lidar1)
"""

LISTING_5 = """
from time import sleep
from understudy.sear.mrl import Runtime, python
sear = Runtime.createAndStart("SEAR","SEAR")
sear.startSimulation();
sleep (2);

lidar = Runtime.createAndStart("myLidar", "LIDAR")
lidar.startService()
print("connect LIDAR service to /dev/SEAR_LIDAR_01")
lidar.connect("/dev/SEAR_LIDAR_01")
print("adding the LIDAR service listener")
lidar.addListener("publishLidarData", python.name, "input")
print("setting scan mode")
lidar.setScanMode(100, 1)

print("Ready to receive LIDAR data... ")
while 1:
        lidar.singleScan()
        sleep(2)
"""

LISTING_6 = """
from time import sleep
import math
from understudy.sear.mrl import Runtime, python

def input():
  startingAngle = 0
  code = msg_myLidar_publishLidarData.data[0]
  length = len(code)
  print("received " + str(length) +"readings:")
  if length==101 or length==201 or length==401:
        startingAngle = 40
  else:
        startingAngle = 0

  for i in range(0, length):
        x = (code[i])*math.cos(((i*100/length)+startingAngle)* (3.14159 / 180))
        y =(code[i])*math.sin(((i*100/length)+startingAngle)* (3.14159 / 180))
        print(str(x) +"\\t"+str(y))

sear = Runtime.createAndStart("SEAR","SEAR")
sear.startSimulation();
sleep (2);

print("Attempting to create the LIDAR service...")

lidar = Runtime.createAndStart("myLidar", "LIDAR")
lidar.startService()
print("connect LIDAR service to /dev/SEAR_LIDAR_01")
lidar.connect("/dev/SEAR_LIDAR_01")

print("adding the LIDAR service listener")
lidar.addListener("publishLidarData", python.name, "input")

print("setting scan mode")
lidar.setScanMode(100, 1)

print("Ready to receive LIDAR data... ")
while 1:
        lidar.singleScan()
        sleep(2)
"""

LISTING_7 = """
from understudy.sear import GPS
myGPS = GPS("gpsUnit1", 33.61, 182.5, -80.865)
myGPS.setPorts("/dev/my_GPS_01","/dev/SEAR_GPS_01")
robot.addComponent(myGPS)
"""

LISTING_8 = """
from time import sleep
from understudy.sear.mrl import Runtime, python

sear = Runtime.createAndStart("SEAR","SEAR")
sear.startSimulation();
initialized = 0

gps1 = Runtime.createAndStart("gpsUnit1", "GPS")
gps1.startService()
gps1.connect("/dev/SEAR_GPS_01")
sleep(1)
def input():
  startingAngle = 0
  Latitude = msg_gpsUnit1_publishGGAData.data[0][2]
  Longitude =  msg_gpsUnit1_publishGGAData.data[0][4]
  altitude = msg_gpsUnit1_publishGGAData.data[0][9]
  print("Lat: " + Latitude)
  print("Long: " + Longitude)
  print("Alt: " + altitude + "\\n")

gps1.addListener("publishGGAData", python.name, "input")

print("Ready to receive Data from GPS...")
"""

LISTING_9 = """
from time import sleep
import sys
from understudy.sear.mrl import Runtime, python

print("\\n \\n executing serial send")
python.execFile("controllerTest.py")
sleep(2)

currentLength = 0
messageLength = 2
msgBuffer = list()
msgResults = list()


def sendControllerData(message):
        serial.write(0x8E)
        serial.write(message)

def receiveMessage():

        global msgBuffer
        global messageLength
        global currentLength
        global msgResults

        data = msg_serial_publishByte.data[0] & 0xff
        if (currentLength < messageLength):
                msgBuffer.insert(currentLength, data)
                currentLength +=1

        if (currentLength == messageLength):
                for i in range (0, messageLength, 2):

                        if msgBuffer[i] >0 :
                                msgResults.insert(i//2, (msgBuffer [i]<<8) + msgBuffer[i+1])
                        elif msgBuffer[i] <0 :
                                msgResults.insert(i//2, 256+ (msgBuffer [i]<<8) + msgBuffer[i+1])

                        else:
                                msgResults.insert(i//2, 0x00ff & msgBuffer[i+1])

                messageLength = 0
                currentLength = 0


def waitForReply():
        global messageLength
        while(messageLength != 0):
                pass


def  clear():
        global currentLength
        global msgBuffer
        global msgResults
        msgBuffer = [0,0,0,0,0,0,0]
        msgResults = [0,0,0,0,0,0,0]
        currentLength = 0


sear = Runtime.createAndStart("SEAR","SEAR")

sear.startSimulation();
sleep(1)
roomba = Runtime.createAndStart("robot_Dynamics1","Roomba")
roomba.connect( "/dev/SEAR_Robot_01" )
roomba.startup()
roomba.control()
sleep(1)

serial = Runtime.createAndStart("serial","Serial")
serial.connect("/dev/user_CONTROLLER_01", 9600, 8, 1, 0)

serial.addListener("publishByte", python.name, "receiveMessage")
print("listening to: "+serial.name)



sleep(1)
print("Main: Requesting Sonar 1")
messageLength = 2
sendControllerData(0x2B)
waitForReply()
print("\\nBack in Main, Sonar 1 value received = " + str(msgResults[0]))


print("Main: Requesting Sonar 2")
clear()
messageLength = 2
sendControllerData(0x2C)
waitForReply()
print("\\nBack in Main, Sonar 2 value received = " + str(msgResults[0]))


print("Main Requesting Accel")
clear()
messageLength = 6
sendControllerData(0x2D)
waitForReply()
print("Back in Main, AccelX = " + str(msgResults[0]) +" AccelY = " + str(msgResults[1]) +" AccelZ = "
+ str(msgResults[2]))


print("Main Requesting Gyro")
clear()
messageLength = 6
sendControllerData(0x2E)
waitForReply()
print("Back in Main, GyroX = " + str(msgResults[0]) +" GyroY = " + str(msgResults[1]) +" GyroZ = " + str(msgResults[2]))


print("Main Requesting Compass")
messageLength = 2
sendControllerData(0x2F)
waitForReply()
print("Back in Main, Compass heading (out of 360 degrees) = " + str(float(msgResults[0])/10))
"""

LISTING_10 = """
from understudy.sear.mrl import SerialDeviceFactory;
from understudy.sear.mrl import VirtualSerialPort;
from understudy.sear.mrl import Serial;
from understudy.sear.mrl import Runtime, python
import struct
import math

previousCodeValue=0


def sendInt(message):
        lowByte =(message & 0x0000ff)
        highByte = ((message& 0x00ff00) >>8)
        print("Sending HighByte:" + hex(highByte))
        SEAR_CONTROLLER_Serial.write(highByte)
        print("Sending LowByte: " + hex(lowByte))
        SEAR_CONTROLLER_Serial.write(lowByte)


def input():
  global previousCodeValue
  currentCodeValue =  ord(struct.pack('B', msg_serialController_publishByte.data[0]))
  if currentCodeValue == 0x8E and previousCodeValue != 0x8E :
        previousCodeValue = 0x8E

  if currentCodeValue == 0x2B and  previousCodeValue == 0x8E:
        distance1 = sear.getDistanceResult("testPing1")
        numCentimeters =int(distance1*100)
        sendInt(int(distance1*100))

  if currentCodeValue == 0x2C and  previousCodeValue == 0x8E:
        distance2 = sear.getDistanceResult("MyNewestSONAR")
        numCentimeters =int(distance2*100)
        sendInt(int(distance2*100))


  if currentCodeValue == 0x2D and  previousCodeValue == 0x8E:
        accelerations = sear.getAccelResult("accel")

        tokens = accelerations.split(',')

        integerAccelX = int((float(tokens[0]) /-9.8 * 0.3 + 1.5)* 310.30303)
        if integerAccelX >1023:
                        integerAccelX = 1023

        integerAccelY = int((float(tokens[1]) /-9.8 * 0.3 + 1.5)* 310.30303)


        if integerAccelY >1023:
                        integerAccelY= 1023
        integerAccelZ = int((float(tokens[2]) /-9.8 * 0.3 + 1.5)* 310.30303)
        if integerAccelZ >1023:
                        integerAccelZ = 1023
        print("accel ints =  "+ str(integerAccelX)+",  "+ str(integerAccelY)+",  "+ str(integerAccelZ))
        print("hex accel ints =  "+ hex(integerAccelX)+",  "+ hex(integerAccelY)+",  "+ hex(integerAccelZ))
        sendInt(integerAccelX)
        sendInt(integerAccelY)
        sendInt(integerAccelZ)


  if currentCodeValue == 0x2E and  previousCodeValue == 0x8E:
        gyroReadings = sear.getGyroResult("gyro1")
        tokens = gyroReadings.split(',')

        integerGyroX = int(((float(tokens[0])*57.2957795 * 0.002)+ 1.35)*310.30303)
        integerGyroY = int(((float(tokens[1])*57.2957795 * 0.002)+ 1.35)*310.30303)
        integerGyroZ = int(((float(tokens[2])*57.2957795 * 0.002)+ 1.35)*310.30303)
        sendInt(integerGyroX)
        sendInt(integerGyroY)
        sendInt(integerGyroZ)


  if currentCodeValue == 0x2F and  previousCodeValue == 0x8E:
        rawHeading = sear.getCompassResult("comp1")
        if rawHeading < 0:
                rawHeading = rawHeading + 360

        heading = 0.5 * math.ceil(2.0 * rawHeading)
        intHeading = int(heading*10)
        sendInt(intHeading)


UARTport = "/dev/my_Controller01"
userPort = "/dev/user_CONTROLLER_01"


vp0 =  VirtualSerialPort(UARTport);
vp1 =  VirtualSerialPort(userPort);

VirtualSerialPort.makeNullModem(vp0, vp1);

SerialDeviceFactory.add(vp0);
SerialDeviceFactory.add(vp1);

SEAR_CONTROLLER_Serial =  Runtime.createAndStart("serialController","Serial")
SEAR_CONTROLLER_Serial.connect(UARTport);

SEAR_CONTROLLER_Serial.addListener("publishByte", python.name, "input")
print("user should connect to port named: "+userPort)
"""

LISTINGS = {
    1: LISTING_1, 2: LISTING_2, 3: LISTING_3, 4: LISTING_4, 5: LISTING_5, 6: LISTING_6, 7: LISTING_7, 8: LISTING_8,
    9: LISTING_9, 10: LISTING_10,
}  # fmt: skip
